"""Reads messages of the MQTT discovery as Home Assistant does: run by a Python that has it (scripts/lib/api-venv
home-assistant). Standard input: a JSON list of [topic, payload]. Says what is wrong with them, and ends with 1 then."""

import importlib
import json
import sys

import voluptuous
from homeassistant.components.mqtt import discovery

# Newer than the Home Assistant that reads here (2025.10); it takes the place of object_id.
LATER = {'default_entity_id'}


def problems(topic, payload):
    prefix, _, rest = topic.partition('/')
    match = discovery.TOPIC_MATCHER.match(rest)
    if prefix != 'homeassistant' or not match:
        return ['the topic is not one of a discovery']
    component = importlib.import_module('homeassistant.components.mqtt.' + match['component'])
    content = json.loads(payload)
    try:
        taken = component.DISCOVERY_SCHEMA({'platform': 'mqtt', **content})
    except voluptuous.Invalid as error:
        return [str(error)]
    # Keys that it does not know are left out without a word.
    return [f'{key} means nothing there' for key in content if key not in taken and key not in LATER]


wrong = [f'{topic}: {problem}' for topic, payload in json.load(sys.stdin) for problem in problems(topic, payload)]
print('\n'.join(wrong))
sys.exit(bool(wrong))
