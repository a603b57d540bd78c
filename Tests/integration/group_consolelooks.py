"""What people do most in the console, in a real Chromium on a phone, in the dark, and at 200 %: with the groups console,
consolescan and consolekeys, which have a desk in the light, each of it is done in every look."""

import os

from browser import SIZES, usual
# The first, since it begins with nobody and nothing.
from group_console import test_from_an_invitation_to_the_directory_and_back  # noqa: F401
from group_console import (  # noqa: F401: a test is what has its name here
    EXPECTED,
    Bench,
    test_a_gateway_gets_a_token_anew,
    test_a_gateway_is_moved_on_a_small_map,
    test_a_label_that_is_known_already,
    test_a_place_is_pointed_at_on_a_small_map,
    test_an_admin_looks_after_accounts,
    test_an_admin_sets_the_limits_of_health,
    test_changes_many_at_once,
    test_changes_the_password,
    test_deletes_and_undoes,
    test_devices_of_a_gateway,
    test_edits_a_gateway_and_merges_with_another_editor,
    test_five_gateways_on_one_spot,
    test_label_and_picture,
    test_many_are_taken_back_in_the_history,
    test_says_when_the_backend_is_away_and_keeps_what_was_typed,
    test_searches_are_saved_and_shared,
    test_signs_in_by_the_keyboard_alone,
    test_signs_in_with_a_second_factor,
    test_the_map_asks_nobody_until_an_admin_agrees,
    test_two_edit_a_device,
)
from group_consolekeys import test_adds_a_gateway, test_approves_a_program, test_approves_edits_and_forgets_a_device  # noqa: F401
from group_consolescan import test_a_camera_sees_a_label, test_a_picture_of_a_label, test_where_the_browser_is  # noqa: F401

IN_VM = False
# What LUNA_BROWSER is in each mode.
BROWSERS = {'phone': 'phone light', 'phonedark': 'phone dark', 'deskdark': 'desk dark', 'zoomed': 'zoomed light'}


def prepare(mode):
    os.environ['LUNA_BROWSER'] = BROWSERS[mode]
    return Bench()


def test_pages_are_so(bench):
    """What this group says of its tests is true."""
    size, is_dark = usual()
    browser = bench.signed_in()
    assert browser.script("return [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]") == [*SIZES[size], is_dark]
    ground = browser.script("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(ground) < 3 * 128) == is_dark, ground
    browser.is_clean(EXPECTED)
