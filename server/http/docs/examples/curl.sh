export KEY=$(dist/holdall key create --name "my script")
JOB=$(curl -sH "Authorization: Bearer $KEY" 127.0.0.1:8420/jobs \
  --json '{"urls": ["https://example.org/", "https://example.com/"], "zip_filename": "pages"}' \
  | grep -o '[0-9a-f-]\{36\}')
curl -sNH "Authorization: Bearer $KEY" 127.0.0.1:8420/jobs/$JOB/events > events.txt  # ends with the job
URL=$(grep -o '"download_url":"[^"]*' events.txt | tail -n 1 | cut -d '"' -f 4)
curl -C - -o pages.zip "$URL"  # needs no key; can be resumed
