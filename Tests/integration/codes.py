"""QR codes as cameras and files show them (qrencode)."""

import subprocess

WIDTH, HEIGHT = 640, 480


def modules(text):
    """The modules of a code with its margin, row by row; True is dark."""
    drawn = subprocess.run(['qrencode', '-t', 'ASCII', '-m', '4', text], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [[line[at] == '#' for at in range(0, len(line), 2)] for line in drawn if line]


def picture(path, text):
    """A PNG with a code."""
    subprocess.run(['qrencode', '-t', 'PNG', '-s', '8', '-o', path, text], check=True)
    return path


def video(path, text=None):
    """What a camera sees that looks at a code, or at a white wall: two frames of YUV4MPEG2, which chromium repeats."""
    rows = modules(text) if text else [[False]]
    scale = min(WIDTH, HEIGHT) * 4 // 5 // len(rows)
    side = scale * len(rows)
    left, top = (WIDTH - side) // 2, (HEIGHT - side) // 2
    white = bytes([235])
    blank = white * WIDTH
    lines = [blank] * top
    for row in rows:
        dots = b''.join(bytes([16 if is_dark else 235]) * scale for is_dark in row)
        lines += [white * left + dots + white * (WIDTH - side - left)] * scale
    lines += [blank] * (HEIGHT - side - top)
    frame = b'FRAME\n' + b''.join(lines) + bytes([128]) * (WIDTH * HEIGHT // 2)
    with open(path, 'wb') as file:
        file.write(f'YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\n'.encode() + frame * 2)
    return path
