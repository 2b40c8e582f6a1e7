"""A browser without a screen, for what the console answers."""

import http.client
import urllib.parse
from contextlib import closing


class Visitor:
    """It keeps cookies and sends forms."""

    def __init__(self, url: str) -> None:
        self.host = urllib.parse.urlsplit(url).netloc
        self.cookies: dict[str, str] = {}
        self.set_cookie = ""
        self.policy = ""
        self.content = b""

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str, str]:
        """Return status, address of a redirect, and body."""
        sent = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            sent["content-type"] = "application/x-www-form-urlencoded"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(self.host, timeout=60)) as connection:
            connection.request(method, path, urllib.parse.urlencode(form) if form is not None else None, sent)
            answer = connection.getresponse()
            self.content = answer.read()
            body = self.content.decode(errors="replace")
            for cookie in answer.headers.get_all("set-cookie", []):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            self.set_cookie = answer.headers.get("set-cookie", "")
            self.policy = answer.headers.get("content-security-policy", "")
            return answer.status, answer.headers.get("location", ""), body

    def enter(self, link: str) -> "Visitor":
        """Sign in with a link."""
        assert self.ask("POST", urllib.parse.urlsplit(link).path, {})[0] == 303
        return self

    def press(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Send a form of the console's own, with its secret."""
        secret = self.ask("GET", "/players")[2].partition('name="form" value="')[2].partition('"')[0]
        return self.ask("POST", path, {"form": secret, **fields})
