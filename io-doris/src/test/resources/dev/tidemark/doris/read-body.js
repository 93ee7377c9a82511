// Reads the body of a load, Arrow IPC streams one after the other, with apache-arrow from npm.
// Prints a line of JSON for each row: column names and values as texts.
const fs = require('fs');
const path = require('path');
const arrow = require(path.join(process.argv[2], 'node_modules', 'apache-arrow'));

function decimal(words) {
  let value = 0n;
  for (let i = words.length - 1; i >= 0; i--) {
    value = (value << 32n) | BigInt(words[i]);
  }
  return BigInt.asIntN(32 * words.length, value).toString();
}

function text(type, value) {
  if (value === null || value === undefined) return null;
  if (arrow.DataType.isDecimal(type)) return decimal(value);
  if (arrow.DataType.isList(type)) {
    return Array.from(value, (element) => text(type.children[0].type, element));
  }
  if (arrow.DataType.isMap(type)) {
    const entry = type.children[0].type.children;
    return Array.from(value, ([k, v]) => [text(entry[0].type, k), text(entry[1].type, v)]);
  }
  if (arrow.DataType.isStruct(type)) {
    return type.children.map((child) => text(child.type, value[child.name]));
  }
  return String(value);
}

for (const reader of arrow.RecordBatchReader.readAll(fs.readFileSync(process.argv[3]))) {
  for (const batch of reader) {
    for (let row = 0; row < batch.numRows; row++) {
      const values = {};
      batch.schema.fields.forEach((field, i) => {
        values[field.name] = text(field.type, batch.getChildAt(i).get(row));
      });
      console.log(JSON.stringify(values));
    }
  }
}
