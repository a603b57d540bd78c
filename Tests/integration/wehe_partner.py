"""The server of Wehe's own (github.com/NEU-SNS/wehe-py3) in a network of namespaces. Nothing of it is here: whoever tests fetches it,
and says with WEHE_PY3 where it is, and with WEHE_PYTHON which Python has what it imports (gevent, tornado, netaddr,
prometheus_client, psutil, pandas, matplotlib, scipy, multiprocessing_logging, python-dateutil, requests, beautifulsoup4)."""

import os
import shutil
import subprocess
import sys

from bench import NotRun, wait_for

SIDE, TLS_SIDE, RESULTS, TLS_RESULTS = 55555, 55556, 56565, 56566
# What it imports for services of others, which it does not ask here.
STUBS = {
    'reverse_geocode.py': '',
    'timezonefinder.py': 'class TimezoneFinder: pass\n',
    'google/__init__.py': '',
    'google/cloud/__init__.py': '',
    'google/cloud/bigquery.py': """
class SchemaField:
    def __init__(self, name, field_type, mode='', fields=(), description=''):
        self.name, self.field_type, self.mode, self.fields = name, field_type, mode, fields

    def to_api_repr(self):
        return {'name': self.name}
""",
}
# It captures every replay, and looks into no capture that nobody asks for.
PROGRAMS = {
    'tcpdump': 'case " $* " in *" -r "*) exit 0;; esac\necho listening >&2\nexec setpriv --pdeathsig KILL sleep 900\n',
    'editcap': 'for last; do :; done\n: > "$last"\n',
    'tcprewrite': 'for last; do :; done\n: > "${last#--outfile=}"\n',
}
# It was written for an older tornado, in which a request that others answer was marked.
ANALYZER = """
import functools, os, runpy, sys
import tornado.web

def asynchronous(method):
    @functools.wraps(method)
    def begin(self, *args, **named):
        self._auto_finish = False
        method(self, *args, **named)
    return begin

tornado.web.asynchronous = asynchronous
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name='__main__')
"""


class WehePartner:
    """It in a place of a network, with some of its replays."""

    def __init__(self, network, place, folder, replays, certificate, key):
        source = os.environ.get('WEHE_PY3')
        if not source:
            raise NotRun('WEHE_PY3 names no directory of wehe-py3')
        self.network, self.place, self.folder, self.programs = network, place, folder, []
        self.source, self.python = os.path.abspath(source), os.environ.get('WEHE_PYTHON', sys.executable)
        for name, text in STUBS.items():
            self.write('stubs/' + name, text)
        for name, text in PROGRAMS.items():
            os.chmod(self.write('bin/' + name, '#!/bin/sh\n' + text), 0o755)
        for name, path in [('server.crt', certificate), ('server.key', key)]:
            shutil.copy(path, self.write('certificates/' + name, ''))
        for name in ('main', 'logs', 'results', 'cache', 'traces'):
            os.mkdir(self.path(name))
        for name in replays:
            os.symlink(os.path.join(self.source, 'replayTraces', name), self.path('traces/' + name))
        self.write('prefix', 'tests')
        self.write('analyzer.py', ANALYZER)
        self.write('folders', '\n'.join(self.path('traces/' + name) for name in replays))
        self.write('configuration', '\n'.join(f'{name}={value}' for name, value in self.configuration().items()))
        self.begin()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w') as file:
            file.write(text)
        return self.path(name)

    def configuration(self):
        usual = {
            'UseDB': False, 'EC2': False, 'iperf': False, 'multiInterface': False, 'original_ips': False, 'original_ports': True, 'timing': True,
            'tcpdumpInt': 'default', 'dbLocation': 'local', 'xputBuckets': 100, 'xputInterval': 0.25, 'alpha': 0.95, 'ks2Beta': 0.95,
            'areaThreshold': 0.1, 'ks2Threshold': 0.05, 'resultsFolder': 'replay/', 'topologiesPrefix': 'none/', 'toposDb': 'http://127.0.0.1:9/',
            'sidechannel_port': SIDE, 'sidechannel_tls_port': TLS_SIDE, 'analyzerPort': RESULTS, 'analyzer_tls_port': TLS_RESULTS,
            'xputDiffThresholds': os.path.join(self.source, 'src/xput_diff_threshold_distribution'),
        }
        logs = {f'{name}Log': f'{name}.log' for name in ('errors', 'server', 'replay', 'analyzer')}
        places = {
            'pcap_folder': 'folders', 'mainPath': 'main/', 'tmpResultsFolder': 'results/', 'replay_parent_folder': 'traces', 'logsPath': 'logs/',
            'certs_folder': 'certificates/', 'bqSchemaFolder': 'schemas', 'uuidPrefixFile': 'prefix', 'tmpCacheFolder': 'cache/',
        }
        return {**usual, **logs, **{name: self.path(place) for name, place in places.items()}}

    def begin(self):
        source = os.path.join(self.source, 'src')
        for name, words, ready in (
            ('server', [f'{source}/replay_server.py'], 'https sidechannel server running'),
            ('analyzer', [self.path('analyzer.py'), f'{source}/replay_analyzerServer.py'], f'listening on port {RESULTS}'),
        ):
            said = {**os.environ, 'PATH': self.path('bin') + ':' + os.environ['PATH'], 'PYTHONPATH': self.path('stubs'), 'PYTHONUNBUFFERED': '1'}
            said |= {'PYTHONDONTWRITEBYTECODE': '1', 'MPLCONFIGDIR': self.path('cache')}
            with open(self.path(f'{name}.txt'), 'w') as output:
                words = ['setpriv', '--pdeathsig', 'KILL', *self.network.inside(self.place), self.python, *words]
                words.append('--ConfigFile=' + self.path('configuration'))
                self.programs.append(subprocess.Popen(words, cwd=self.folder, env=said, stdout=output, stderr=subprocess.STDOUT))
            wait_for(lambda name=name, ready=ready: ready in self.said(name), 60, lambda name=name: self.said(name)[-2_000:])

    def said(self, name):
        with open(self.path(f'{name}.txt'), errors='replace') as file:
            return file.read()

    def close(self):
        for program in self.programs:
            program.kill()
            program.wait()
