"""The shop of clients/python/examples with a page: web_shop.py SHOP_FOLDER PAGE_FOLDER. The page draws the code itself."""
import os, pathlib, sys
from http.server import ThreadingHTTPServer

sys.path.insert(0, sys.argv[1])
import shop

PAGE = pathlib.Path(sys.argv[2])
TYPES = {".html": "text/html; charset=utf-8", ".mjs": "text/javascript"}


class WebShop(shop.Shop):
    def do_GET(self):
        file = PAGE / (self.path[1:] or "index.html")
        if file.parent != PAGE or not file.is_file():
            return super().do_GET()
        octets = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", TYPES[file.suffix])
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), WebShop)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
