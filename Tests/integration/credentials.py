"""The file in which `luna login` keeps what it has been given."""

import json
import os


class Credential:
    """What has a state directory, `state`."""

    @property
    def path(self):
        return os.path.join(self.state, 'account', 'default.json')

    def read(self):
        return json.load(open(self.path))

    def expire(self):
        """Lets the access token have ended."""
        credential = self.read()
        credential['issuedAt'] = '2020-01-01T00:00:00Z'
        with open(self.path + '.test', 'w') as file:
            json.dump(credential, file)
        os.chmod(self.path + '.test', 0o600)
        os.rename(self.path + '.test', self.path)
