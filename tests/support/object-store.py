"""Runs an S3 server on this machine: OpenStack Swift with its S3 interface, one replica, until stdin is closed.

object-store.py DIRECTORY PORT ACCESS_KEY SECRET_KEY: prints `ready` when every server responds. The directory keeps the objects.
"""
import configparser, ctypes, os, random, shutil, signal, socket, subprocess, sys, time, urllib.request

BACK_ENDS = ("account", "container", "object")
NO_SYSLOG = {"log_udp_host": "127.0.0.1", "log_udp_port": "9", "log_level": "ERROR"}
# On a busy machine, an object whose container did not respond in a second would be in no list.
PATIENT = {"node_timeout": "60", "conn_timeout": "60", "container_update_timeout": "60"}
FILTERS = ("catch_errors", "gatekeeper", "healthcheck", "cache", "listing_formats", "bulk", "s3api", "tempauth", "copy", "slo", "dlo")


def write(directory, name, sections):
    parser = configparser.RawConfigParser()
    for section, values in sections.items():
        parser[section] = values
    with open(os.path.join(directory, name), "w") as file:
        parser.write(file)


def configure(directory, ports, access, secret):
    os.makedirs(os.path.join(directory, "disk", "d"), exist_ok=True)
    write(directory, "swift.conf", {"swift-hash": {"swift_hash_path_suffix": "tests"}, "storage-policy:0": {"name": "p", "default": "yes"}})
    for kind in BACK_ENDS:
        common = {"bind_ip": "127.0.0.1", "bind_port": ports[kind], "swift_dir": directory, "devices": os.path.join(directory, "disk"),
                  "mount_check": "false", "workers": "0", "recon_cache_path": directory, **PATIENT, **NO_SYSLOG}
        write(directory, f"{kind}.conf", {"DEFAULT": common, "pipeline:main": {"pipeline": f"{kind}-server"},
              f"app:{kind}-server": {"use": f"egg:swift#{kind}", "replication_server": "false"}})
    filters = {f"filter:{name}": {"use": f"egg:swift#{'memcache' if name == 'cache' else name}"} for name in FILTERS}
    filters["filter:cache"]["memcache_servers"] = f"127.0.0.1:{ports['cache']}"
    filters["filter:s3api"].update({"location": "us-east-1", "auth_pipeline_check": "false", "max_upload_part_num": "10000"})
    filters["filter:tempauth"] = {"paste.filter_factory": "__main__:plain_keys", "access_key": access, "user_s3_owner": f"{secret} .admin"}
    common = {"bind_ip": "127.0.0.1", "bind_port": ports["proxy"], "swift_dir": directory, "workers": "0", **NO_SYSLOG}
    app = {"use": "egg:swift#proxy", "account_autocreate": "true", "recoverable_node_timeout": "60",
           "error_suppression_limit": "1000000", **PATIENT}
    pipeline = " ".join((*FILTERS, "proxy-server"))
    write(directory, "proxy.conf", {"DEFAULT": common, "pipeline:main": {"pipeline": pipeline}, "app:proxy-server": app, **filters})


def build_rings(directory, ports):
    from swift.common import utils
    utils.set_swift_dir(directory)
    from swift.common.ring import RingBuilder
    for kind in BACK_ENDS:
        ring = RingBuilder(4, 1, 0)
        where = {"ip": "127.0.0.1", "port": int(ports[kind]), "replication_ip": "127.0.0.1", "replication_port": int(ports[kind])}
        ring.add_dev({"region": 1, "zone": 1, "device": "d", "weight": 1.0, "meta": "", **where})
        ring.rebalance(seed=1)
        ring.get_ring().save(os.path.join(directory, f"{kind}.ring.gz"))


def plain_keys(global_conf, **local_conf):
    """Access keys without a colon, which clients of S3 do not expect in one."""
    from swift.common.middleware.tempauth import TempAuth
    settings = dict(global_conf, **local_conf)

    def make(app):
        auth = TempAuth(app, settings)
        auth.users[settings["access_key"]] = auth.users["s3:owner"]
        return auth
    return make


def serve(directory, kind):
    end_with_parent()
    import logging.handlers
    logging.handlers.SysLogHandler.__init__.__defaults__ = (("127.0.0.1", 9),) + logging.handlers.SysLogHandler.__init__.__defaults__[1:]
    from swift.common import utils
    utils.set_swift_dir(directory)
    from swift.common.wsgi import run_wsgi
    more = {}
    if kind == "object":
        from swift.obj.server import global_conf_callback
        more["global_conf_callback"] = global_conf_callback
    sys.exit(run_wsgi(os.path.join(directory, f"{kind}.conf"), f"{kind}-server", **more))


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def responds(ports):
    try:
        for kind in (*BACK_ENDS, "cache"):
            socket.create_connection(("127.0.0.1", int(ports[kind])), 2).close()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return opener.open(f"http://127.0.0.1:{ports['proxy']}/healthcheck", timeout=5).read() == b"OK"
    except OSError:
        return False


def free_ports(count):
    """Ports that the system gives to no other socket meanwhile, as in free-port.ts."""
    sockets = []
    while len(sockets) < count:
        try:
            sockets.append(socket.create_server(("127.0.0.1", random.randrange(12_000, 32_000))))
        except OSError:
            pass
    return [str(each.getsockname()[1]) for each in sockets]


def main(directory, port, access, secret):
    ports = dict(zip((*BACK_ENDS, "cache"), free_ports(4)), proxy=port)
    configure(directory, ports, access, secret)
    build_rings(directory, ports)
    user = [] if os.getuid() else ["-u", "root"]
    memcached = [shutil.which("memcached"), *user, "-l", "127.0.0.1", "-p", ports["cache"], "-U", "0", "-m", "16", "-t", "1"]
    commands = [memcached, *([sys.executable, __file__, "serve", directory, kind] for kind in (*BACK_ENDS, "proxy"))]
    children = [subprocess.Popen(each, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=end_with_parent) for each in commands]
    while not responds(ports):
        if any(child.poll() is not None for child in children):
            sys.exit("a server of the object store has ended")
        time.sleep(0.1)
    print("ready", flush=True)
    sys.stdin.read()
    for child in children:
        child.kill()


if __name__ == "__main__":
    serve(*sys.argv[2:]) if sys.argv[1] == "serve" else main(*sys.argv[1:])
