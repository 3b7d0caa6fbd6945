"""A substitute for CloudFront in front of an AWS emulator, which stores distributions but does not serve them. The behaviours,
the origins with their headers, the function of the site and the security headers come from the emulator. Nothing is cached.
TLS is on one port, plain HTTP on another. Requests to an API's own address are passed on unchanged."""

import fnmatch
import functools
import http.client
import http.server
import json
import ssl
import subprocess
import sys
import threading

from emulated import client

# Headers that HTTP/1.1 limits to one connection, and headers that are written again.
HOPS = {"connection", "transfer-encoding", "content-length", "host", "keep-alive"}


class Cloud:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.address = endpoint.removeprefix("http://")
        self.cloudfront = client("cloudfront", endpoint)
        self.s3 = client("s3", endpoint)

    def distribution(self, host):
        items = self.cloudfront.list_distributions()["DistributionList"].get("Items", [])
        found = [it["Id"] for it in items if it["DomainName"] == host]
        return self.cloudfront.get_distribution_config(Id=found[0])["DistributionConfig"] if found else None

    @functools.cache
    def security_headers(self, policy):
        config = self.cloudfront.get_response_headers_policy(Id=policy)["ResponseHeadersPolicy"]["ResponseHeadersPolicyConfig"]
        of = config["SecurityHeadersConfig"]
        headers = {it["Header"]: it["Value"] for it in config["CustomHeadersConfig"]["Items"]}
        headers["Content-Security-Policy"] = of["ContentSecurityPolicy"]["ContentSecurityPolicy"]
        headers["Referrer-Policy"] = of["ReferrerPolicy"]["ReferrerPolicy"]
        headers["X-Frame-Options"] = of["FrameOptions"]["FrameOption"]
        headers["X-Content-Type-Options"] = "nosniff"
        transport = of["StrictTransportSecurity"]
        subdomains = "; includeSubDomains" if transport["IncludeSubdomains"] else ""
        headers["Strict-Transport-Security"] = f"max-age={transport['AccessControlMaxAgeSec']}{subdomains}"
        return headers

    @functools.cache
    def routed(self, function, uri):
        code = self.cloudfront.get_function(Name=function.rsplit("/", 1)[-1], Stage="LIVE")["FunctionCode"].read().decode()
        asked = json.dumps({"request": {"method": "GET", "uri": uri, "headers": {}, "querystring": {}}})
        told = subprocess.run(["node", "-e", f"{code}\nconsole.log(JSON.stringify(handler({asked})))"], capture_output=True, check=True)
        return json.loads(told.stdout)["uri"]

    def file(self, bucket, key):
        try:
            got = self.s3.get_object(Bucket=bucket, Key=key)
        except self.s3.exceptions.ClientError:
            return 403, {"content-type": "application/xml"}, b"<Error><Code>AccessDenied</Code></Error>"
        headers = {"content-type": got["ContentType"], "etag": got["ETag"]}
        if "CacheControl" in got:
            headers["cache-control"] = got["CacheControl"]
        return 200, headers, got["Body"].read()

    def call(self, api, method, path, headers, body):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        sent = {name: value for name, value in headers.items() if name.lower() not in HOPS}
        sent["host"] = f"{api}.execute-api.localhost:{self.address.split(':')[1]}"
        connection.request(method, path, body or None, sent)
        answer = connection.getresponse()
        return answer.status, {name: value for name, value in answer.getheaders() if name.lower() not in HOPS}, answer.read()


class Edge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def told(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        cloud, host = self.server.cloud, self.headers["host"].split(":")[0]
        if ".execute-api." in host:
            return self.told(*cloud.call(host.split(".")[0], self.command, self.path, dict(self.headers), body))
        config = cloud.distribution(host)
        if config is None:
            return self.told(404, {}, b"no such distribution")
        path = self.path.split("?")[0]
        patterns = config.get("CacheBehaviors", {}).get("Items", [])
        behaviour = next((it for it in patterns if fnmatch.fnmatchcase(path, it["PathPattern"])), config["DefaultCacheBehavior"])
        if not self.server.secure:
            if behaviour["ViewerProtocolPolicy"] == "redirect-to-https":
                return self.told(301, {"location": f"https://{host}{self.path}"}, b"")
            return self.told(403, {}, b"")
        if self.command not in behaviour["AllowedMethods"]["Items"]:
            return self.told(403, {}, b"")
        origin = next(it for it in config["Origins"]["Items"] if it["Id"] == behaviour["TargetOriginId"])
        named = {it["HeaderName"]: it["HeaderValue"] for it in origin.get("CustomHeaders", {}).get("Items", [])}
        if "S3OriginConfig" in origin:
            for it in behaviour.get("FunctionAssociations", {}).get("Items", []):
                path = cloud.routed(it["FunctionARN"], path)
            path = f"/{config['DefaultRootObject']}" if path == "/" else path
            status, headers, body = cloud.file(origin["DomainName"].split(".s3.")[0], path.lstrip("/"))
        else:
            seen = {**dict(self.headers), **named, "cloudfront-viewer-address": f"{self.client_address[0]}:{self.client_address[1]}"}
            api = origin["DomainName"].split(".")[0]
            status, headers, body = cloud.call(api, self.command, self.path, seen, body)
        policy = behaviour.get("ResponseHeadersPolicyId")
        self.told(status, {**headers, **(cloud.security_headers(policy) if policy else {})}, body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer


def serve(cloud, secure, certificate):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Edge)
    server.cloud, server.secure = cloud, secure
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main(endpoint, certificate):
    cloud = Cloud(endpoint)
    print(serve(cloud, True, certificate), serve(cloud, False, certificate), flush=True)
    sys.stdin.read()


main(*sys.argv[1:])
