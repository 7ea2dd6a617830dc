"""`threads.py LIST OUT CONNECTIONS store|deflate`: fetches in threads and writes one ZIP, as a simple script would."""
import http.client
import sys
import threading
import urllib.parse
import zipfile
from concurrent.futures import ThreadPoolExecutor

list_path, out, connections, method = sys.argv[1:]
kept = threading.local()


def fetch(url):
    parts = urllib.parse.urlsplit(url)
    if not hasattr(kept, "connection"):
        kept.connection = http.client.HTTPConnection(parts.netloc)
    kept.connection.request("GET", parts.path)
    response = kept.connection.getresponse()
    if response.status != 200:
        raise RuntimeError(f"HTTP {response.status}")
    return parts.path.rsplit("/", 1)[1], response.read()


with open(list_path) as lines:
    urls = lines.read().split()
compression = zipfile.ZIP_DEFLATED if method == "deflate" else zipfile.ZIP_STORED
# At most one body per thread is in memory.
batch = int(connections)
with zipfile.ZipFile(out, "w", compression) as archive, ThreadPoolExecutor(batch) as threads:
    for begin in range(0, len(urls), batch):
        for name, body in threads.map(fetch, urls[begin : begin + batch]):
            archive.writestr(name, body)
