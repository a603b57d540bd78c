#!/usr/bin/env python3
"""Luna from Python, without anything to install but libluna.

  python3 luna.py decode 0201060303AAFE0716AAFE10EE0361
  python3 luna.py listen virtual:1 20
  python3 luna.py follow auto ~/.local/share/luna 20

As a module: `for line in luna.listen("auto"): print(line["address"])`.
"""
import contextlib
import ctypes
import ctypes.util
import functools
import json
import os
import queue
import sys


class Advertisement(ctypes.Structure):
    _fields_ = [
        ("time", ctypes.c_int64),
        ("data", ctypes.POINTER(ctypes.c_uint8)),
        ("data_count", ctypes.c_size_t),
        ("json", ctypes.c_char_p),
        ("address", ctypes.c_uint8 * 6),
        ("address_type", ctypes.c_uint8),
        ("rssi", ctypes.c_int8),
    ]


Heard = ctypes.CFUNCTYPE(None, ctypes.POINTER(Advertisement), ctypes.c_void_p)
Happened = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
Ended = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)

_library = ctypes.CDLL(os.environ.get("LIBLUNA") or ctypes.util.find_library("luna") or "libluna.so.0")
_library.luna_version.restype = ctypes.c_char_p
_library.luna_error_text.restype = ctypes.c_char_p
_library.luna_free.argtypes = [ctypes.c_void_p]
_library.luna_decode.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
_library.luna_scan_start.argtypes = [
    ctypes.c_char_p, Heard, Ended, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
_library.luna_scan_stop.argtypes = [ctypes.c_void_p]
_library.luna_following_start.argtypes = [
    ctypes.c_char_p, ctypes.c_char_p, Happened, Ended, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
_library.luna_following_stop.argtypes = [ctypes.c_void_p]


class Error(Exception):
    """What Luna says that went wrong."""


def version():
    return _library.luna_version().decode()


def _check(status):
    if status:
        raise Error(_library.luna_error_text().decode())


def decode(data, address=None):
    """What the data of an advertisement mean, as a dictionary."""
    text = ctypes.c_void_p()
    _check(_library.luna_decode(data, len(data), address.encode() if address else None, ctypes.byref(text)))
    try:
        return json.loads(ctypes.string_at(text))
    finally:
        _library.luna_free(text)


def _told(start, stop, kind, json_of):
    """What Luna tells, as dictionaries, until it ends or the caller stops asking."""
    news = queue.Queue(10_000)

    # Called on a thread of Luna's. Both must live as long as the handle.
    @kind
    def told(what, context):
        try:
            news.put_nowait(json.loads(json_of(what)))
        except queue.Full:
            pass  # who asks is too slow for this one

    @Ended
    def ended(status, text, context):
        last = Error(text.decode()) if status else None
        # A thread of Luna's waits for nobody, least of all for who does not ask any more: what is oldest gives way.
        while True:
            try:
                return news.put_nowait(last)
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    news.get_nowait()

    handle = ctypes.c_void_p()
    _check(start(told, ended, None, ctypes.byref(handle)))
    try:
        while (line := news.get()) is not None:
            if isinstance(line, Error):
                raise line
            yield line
    finally:
        stop(handle)


def listen(source="auto"):
    """Everything that is heard."""
    return _told(
        functools.partial(_library.luna_scan_start, source.encode()), _library.luna_scan_stop,
        Heard, lambda advertisement: advertisement.contents.json)


def follow(source="auto", state=None):
    """What happens to the trackers of a directory; None is the usual one."""
    return _told(
        functools.partial(_library.luna_following_start, source.encode(), state.encode() if state else None),
        _library.luna_following_stop, Happened, lambda text: text)


def main(words):
    try:
        match words:
            case ["decode", digits]:
                print(json.dumps(decode(bytes.fromhex(digits))))
            case ["listen", source, count]:
                for _, line in zip(range(int(count)), listen(source)):
                    print(json.dumps(line))
            case ["follow", source, state, count]:
                for _, line in zip(range(int(count)), follow(source, state)):
                    print(json.dumps(line))
            case _:
                sys.exit(__doc__)
    except (Error, ValueError) as error:
        sys.exit(f"luna.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
