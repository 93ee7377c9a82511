"""Reads an event-time sketch: python3 ets1.py 'ets1:...' prints count, min, max, exact counts."""
import base64, json, sys

def read(text):
    assert text.startswith("ets1:"), "unknown version"
    data = base64.urlsafe_b64decode(text[5:] + "=" * (-len(text[5:]) % 4))
    crc = 0xFFFFFFFF  # CRC32C of all but the last four bytes
    for byte in data[:-4]:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    assert crc ^ 0xFFFFFFFF == int.from_bytes(data[-4:], "big"), "damaged"
    def varints(value=0, shift=0):
        for byte in data[:-4]:
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                yield value
                value, shift = 0, 0
    version, k, boundary, width, count, *rest = varints()
    assert version == 1, "unknown version"
    sketch = {"count": count, "width": width * 60000, "counts": {}}
    if count:
        low, span, n, *centroids = rest
        mean = low = low >> 1 ^ -(low & 1)
        sketch.update(min=low, max=low + span)
        for delta, weight in zip(centroids[0::2], centroids[1::2]):
            mean += delta
            start = mean // (width * 60000) * width * 60000
            sketch["counts"][start] = sketch["counts"].get(start, 0) + weight
    return sketch

if __name__ == "__main__":
    print(json.dumps(read(sys.argv[1]), sort_keys=True))
