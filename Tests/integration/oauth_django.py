"""An authorization server on loopback: django-oauth-toolkit, with a person who is signed in already.

Run by the interpreter of a private environment: DIRECTORY PORT URL, the last of which is how others reach it. It rotates refresh tokens, and ends a
family when one is used twice. PUT /seconds sets how long access tokens hold; GET /count tells how many
times tokens were renewed, and how often that was refused."""

import json
import os
import socketserver
import sys
import threading
import wsgiref.simple_server

DIRECTORY, PORT, BASE = sys.argv[1], int(sys.argv[2]), sys.argv[3]
counts = {'renewed': 0, 'refused': 0}
lock = threading.Lock()


def settings(key):
    from django.conf import settings
    settings.configure(
        DEBUG=False, SECRET_KEY='for tests', ALLOWED_HOSTS=['127.0.0.1'], ROOT_URLCONF=__name__, USE_TZ=True,
        DEFAULT_AUTO_FIELD='django.db.models.AutoField',
        DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': f'{DIRECTORY}/django.sqlite',
                               'OPTIONS': {'timeout': 60, 'transaction_mode': 'IMMEDIATE'}}},
        INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions',
                        'oauth2_provider'],
        MIDDLEWARE=[f'{__name__}.SignedIn'],
        TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}],
        OAUTH2_PROVIDER={
            'OIDC_ENABLED': True, 'OIDC_RSA_PRIVATE_KEY': key, 'OIDC_ISS_ENDPOINT': f'{BASE}/o',
            'SCOPES': {'openid': 'who', 'read': 'read'}, 'PKCE_REQUIRED': True,
            'ALLOWED_REDIRECT_URI_SCHEMES': ['http'], 'ACCESS_TOKEN_EXPIRE_SECONDS': 36000,
            'ROTATE_REFRESH_TOKEN': True, 'REFRESH_TOKEN_REUSE_PROTECTION': True,
            'REFRESH_TOKEN_GRACE_PERIOD_SECONDS': 0, 'DEVICE_FLOW_INTERVAL': 1,
            'OAUTH_DEVICE_VERIFICATION_URI': f'{BASE}/o/device/',
        })


class SignedIn:
    """Takes every visitor for the one person that there is."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        from django.contrib.auth.models import User
        request.user = User.objects.get(username='person')
        request.session = {}
        request._dont_enforce_csrf_checks = True
        is_renewal = request.path == '/o/token/' and request.POST.get('grant_type') == 'refresh_token'
        answer = self.get_response(request)
        if is_renewal:
            with lock:
                counts['renewed' if answer.status_code == 200 else 'refused'] += 1
        return answer


def count(request):
    from django.http import JsonResponse
    with lock:
        return JsonResponse(counts)


def seconds(request):
    from django.http import JsonResponse
    from oauth2_provider.settings import oauth2_settings
    oauth2_settings.ACCESS_TOKEN_EXPIRE_SECONDS = json.loads(request.body)
    return JsonResponse({})


def console(request):
    """Makes the client of a console, with a secret."""
    from django.http import JsonResponse
    from oauth2_provider.models import Application
    Application.objects.update_or_create(client_id='console', defaults=dict(
        name='console', client_type=Application.CLIENT_CONFIDENTIAL, client_secret='of the console',
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE, algorithm='RS256', skip_authorization=True,
        redirect_uris=json.loads(request.body)['redirect']))
    return JsonResponse({})


urlpatterns = []


class Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True
    request_queue_size = 128


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *words):
        pass


def main():
    os.environ['OAUTHLIB_INSECURE_TRANSPORT'] = '1'
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    # The module by the name under which the settings know it.
    sys.modules['oauth_django'] = sys.modules[__name__]
    settings(key)
    import django
    django.setup()
    from django.core.management import call_command
    call_command('migrate', verbosity=0)
    from django.contrib.auth.models import User
    from django.urls import include, path
    from oauth2_provider.models import Application
    urlpatterns[:] = [path('o/', include('oauth2_provider.urls', namespace='oauth2_provider')),
                      path('count', count), path('seconds', seconds), path('console', console)]
    person, _ = User.objects.get_or_create(username='person')
    for name, kind, redirects in [('luna', Application.GRANT_AUTHORIZATION_CODE, 'http://127.0.0.1/callback'),
                                  ('device', Application.GRANT_DEVICE_CODE, '')]:
        Application.objects.get_or_create(client_id=name, defaults=dict(
            name=name, client_type=Application.CLIENT_PUBLIC, authorization_grant_type=kind, client_secret='',
            redirect_uris=redirects, algorithm='RS256', skip_authorization=True))
    from django.core.wsgi import get_wsgi_application
    server = wsgiref.simple_server.make_server('127.0.0.1', PORT, get_wsgi_application(), Server, Quiet)
    print('ready', flush=True)
    server.serve_forever()


if __name__ == '__main__':
    main()
