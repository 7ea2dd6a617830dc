"""A TLS server that ends its responses in all ways that a program can: `tls-origin.py CERT KEY VERSION`. Prints its port.

Bun's and Node's servers hide the end of a TLS connection from the program, and Python's doesn't. The path of a request says what is
sent: `/ENDING/SIZE`.
"""

import socket
import ssl
import struct
import sys
import threading

certificate, key, version = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.minimum_version = context.maximum_version = ssl.TLSVersion[version]


def tcp_below(tls):
    return socket.socket(fileno=tls.detach())


def end(tls, ending):
    if ending == 'whole':  # close_notify, then FIN
        tls.settimeout(5)
        tls.unwrap().close()
    elif ending == 'notified':  # close_notify, and no FIN before the client closes
        tls.settimeout(5)
        try:
            tls.unwrap()
        except OSError:
            pass
    elif ending == 'cut':  # FIN alone
        tcp = tcp_below(tls)
        tcp.shutdown(socket.SHUT_WR)
        tcp.recv(1)
        tcp.close()
    elif ending == 'torn':  # FIN within a record
        tcp = tcp_below(tls)
        tcp.sendall(b'\x17\x03\x03\x00\x50' + b'z' * 20)
        tcp.shutdown(socket.SHUT_WR)
        tcp.recv(1)
        tcp.close()
    elif ending == 'reset':
        tcp = tcp_below(tls)
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        tcp.close()


def serve(tcp):
    try:
        tls = context.wrap_socket(tcp, server_side=True)
        while True:
            request = b''
            while b'\r\n\r\n' not in request:
                received = tls.recv(65536)
                if not received:
                    return
                request += received
            ending, size = request.split()[1].decode().strip('/').split('/')
            if ending == 'length':
                resumed = str(tls.session_reused)
                tls.sendall(b'HTTP/1.1 200 OK\r\nX-Resumed: %s\r\nContent-Length: %s\r\n\r\n' % (resumed.encode(), size.encode()))
                tls.sendall(b'x' * int(size))
            else:
                tls.sendall(b'HTTP/1.1 200 OK\r\n\r\n')
                tls.sendall(b'x' * int(size))
                end(tls, ending)
                return
    except (OSError, ValueError):
        pass
    finally:
        tcp.close()


listener = socket.create_server(('127.0.0.1', 0), backlog=128)
print(listener.getsockname()[1], flush=True)
while True:
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=serve, args=(client,), daemon=True).start()
