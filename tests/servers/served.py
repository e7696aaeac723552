"""What the servers of this folder share: a handler that logs nothing, and where it listens."""
import http.server
import os


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def reply(self, body=b"", status=200, headers=(), length=None):
        body = body if isinstance(body, bytes) else body.encode()
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def serve(handler, folder, port=0, host="127.0.0.1"):
    """On that port of 127.0.0.1, or a free one, which FOLDER/port tells once it listens. Another host is for a network
    namespace of the test's own."""
    server = http.server.ThreadingHTTPServer((host, port), handler)
    draft = os.path.join(folder, "port.new")
    with open(draft, "w", encoding="ascii") as file:
        file.write(str(server.server_address[1]))
    os.replace(draft, os.path.join(folder, "port"))
    server.serve_forever()
