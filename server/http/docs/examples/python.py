import json, os, shutil, urllib.request

def send(method, path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["KEY"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:8420" + path, data, headers, method=method))

job_id = json.load(send("POST", "/jobs", {"urls": ["https://example.org/", "https://example.com/"]}))["job_id"]
for line in send("GET", f"/jobs/{job_id}/events"):  # ends with the job
    if line.startswith(b"data: "):
        job = json.loads(line[6:])
if job["status"] == "failed":
    raise SystemExit(job["failure"]["message"])
with urllib.request.urlopen(job["download_url"]) as archive, open("pages.zip", "wb") as file:
    shutil.copyfileobj(archive, file)
