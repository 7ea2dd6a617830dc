"""Prints names and sizes of a ZIP file's entries as JSON; compares each local header with the central directory."""
import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    entries = archive.infolist()
    for info in entries:
        # Reads the local header, and fails if its name differs from the central directory.
        archive.open(info).close()
print(json.dumps([{"name": info.filename, "sizeBytes": info.file_size} for info in entries]))
