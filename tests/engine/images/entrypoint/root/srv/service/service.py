#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers every GET on 127.0.0.1:8123 with who it is and what was asked."""
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"service": "up", "uid": os.getuid(), "asked": self.path}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


HTTPServer(("127.0.0.1", 8123), Answer).serve_forever()
