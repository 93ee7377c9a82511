CREATE TABLE shop.customers (
  id INT NOT NULL, name STRING, email STRING, vip BOOLEAN, balance DECIMAL(12, 2), created DATETIME(6),
  updated DATETIME(6), profile STRING, score DOUBLE, phone STRING
) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1;

CREATE TABLE shop.orders (
  order_id BIGINT NOT NULL, region VARCHAR(32) NOT NULL, customer_id INT, total DECIMAL(14, 4), status STRING,
  placed DATETIME(6), ship_date DATE, cutoff STRING, note STRING, coupon DECIMAL(6, 2)
) UNIQUE KEY(order_id, region) DISTRIBUTED BY HASH(order_id) BUCKETS 1;

CREATE TABLE shop.order_items (
  order_id BIGINT NOT NULL, line_no SMALLINT NOT NULL, sku STRING, qty INT, price DECIMAL(10, 2),
  tags ARRAY<STRING>
) UNIQUE KEY(order_id, line_no) DISTRIBUTED BY HASH(order_id) BUCKETS 1;
