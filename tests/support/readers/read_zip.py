"""Prints the entries of a ZIP file, in the order of its central directory, as JSON."""
import hashlib
import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    if bad is not None:
        sys.exit(f"testzip: {bad}")
    entries = []
    for info in archive.infolist():
        digest = hashlib.sha256()
        with archive.open(info) as body:
            while part := body.read(1 << 20):
                digest.update(part)
        entries.append({"name": info.filename, "sha256": digest.hexdigest(), "sizeBytes": info.file_size})
print(json.dumps(entries))
