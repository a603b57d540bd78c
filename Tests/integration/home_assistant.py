"""Reads messages of the MQTT discovery as Home Assistant does: run by a Python that has it (scripts/lib/api-venv
home-assistant). Standard input: a JSON list of [topic, payload]. Says what is wrong with them, and ends with 1 then."""

import importlib
import json
import sys

import voluptuous
from homeassistant.components.mqtt import abbreviations, discovery

# Newer than the Home Assistant that reads here (2025.10); it takes the place of object_id.
LATER = {'default_entity_id'}


def whole(content, words):
    """Something with the names that its short ones stand for."""
    return {words.get(key, key): value for key, value in content.items()}


def parts(content):
    """What a discovery of a device says of each of its parts (platform, content): what it says of all is said of each. The Home
    Assistant that reads here knows the parts, and not yet what holds them together."""
    content = whole(content, abbreviations.ABBREVIATIONS)
    content['device'] = whole(content['device'], abbreviations.DEVICE_ABBREVIATIONS)
    content['origin'] = whole(content['origin'], abbreviations.ORIGIN_ABBREVIATIONS)
    content['availability'] = [whole(one, abbreviations.ABBREVIATIONS) for one in content['availability']]
    for part in content.pop('cmps').values():
        part = whole(part, abbreviations.ABBREVIATIONS)
        platform = part.pop('p')
        yield platform, {**content, **part}


def problems(topic, payload):
    prefix, _, rest = topic.partition('/')
    match = discovery.TOPIC_MATCHER.match(rest)
    if prefix != 'homeassistant' or not match:
        return ['the topic is not one of a discovery']
    content = json.loads(payload)
    if match['component'] != 'device':
        return problems_of(match['component'], content)
    return [f'{platform} {part.get("name")}: {problem}' for platform, part in parts(content) for problem in problems_of(platform, part)]


def problems_of(platform, content):
    component = importlib.import_module('homeassistant.components.mqtt.' + platform)
    try:
        taken = component.DISCOVERY_SCHEMA({'platform': 'mqtt', **content})
    except voluptuous.Invalid as error:
        return [str(error)]
    # Keys that it does not know are left out without a word.
    return [f'{key} means nothing there' for key in content if key not in taken and key not in LATER]


wrong = [f'{topic}: {problem}' for topic, payload in json.load(sys.stdin) for problem in problems(topic, payload)]
print('\n'.join(wrong))
sys.exit(bool(wrong))
