#include "CWebAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Programs that are installed hold the files packed, as browsers take them: a third of the size.
#if defined(LUNA_PACKED) && __has_include("../../../.build/assets/files.h")
#include "../../../.build/assets/files.h"
#else
#include "files.h"
#endif

#define ASSET(path, type, bytes) {path, type, bytes, sizeof bytes}
#define CSS "text/css; charset=utf-8"
#define HTML "text/html; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"

static const luna_web_asset assets[] = {
    ASSET("api.js", SCRIPT, api_js),
    ASSET("badge.js", SCRIPT, badge_js),
    ASSET("camera.js", SCRIPT, camera_js),
    ASSET("chart.js", SCRIPT, chart_js),
    ASSET("libraries/chart.js", SCRIPT, chart_library_js),
    ASSET("connection.js", SCRIPT, connection_js),
    ASSET("dom.js", SCRIPT, dom_js),
    ASSET("enrolment.js", SCRIPT, enrolment_js),
    ASSET("events/license.js", SCRIPT, events_license_js),
    ASSET("events/page.css", CSS, events_page_css),
    ASSET("events/page.js", SCRIPT, events_page_js),
    ASSET("form.js", SCRIPT, form_js),
    ASSET("ground.js", SCRIPT, ground_js),
    ASSET("home/accounts.js", SCRIPT, home_accounts_js),
    ASSET("home/app.js", SCRIPT, home_app_js),
    ASSET("home/contacts.js", SCRIPT, home_contacts_js),
    ASSET("home/controls.js", SCRIPT, home_controls_js),
    ASSET("home/detail.js", SCRIPT, home_detail_js),
    ASSET("home/enter.js", SCRIPT, home_enter_js),
    ASSET("home/issuer.js", SCRIPT, home_issuer_js),
    ASSET("home/list.js", SCRIPT, home_list_js),
    ASSET("home/live.js", SCRIPT, home_live_js),
    ASSET("home/main.js", SCRIPT, home_main_js),
    ASSET("home/map.js", SCRIPT, home_map_js),
    ASSET("home/more.js", SCRIPT, home_more_js),
    ASSET("home/notifications.js", SCRIPT, home_notifications_js),
    ASSET("home/onboard.js", SCRIPT, home_onboard_js),
    ASSET("home/own.js", SCRIPT, home_own_js),
    ASSET("home/passkeys.js", SCRIPT, home_passkeys_js),
    ASSET("home/push.js", SCRIPT, home_push_js),
    ASSET("home/ruleform.js", SCRIPT, home_ruleform_js),
    ASSET("home/rules.js", SCRIPT, home_rules_js),
    ASSET("home/schedules.js", SCRIPT, home_schedules_js),
    ASSET("home/shares.js", SCRIPT, home_shares_js),
    ASSET("home/unlock.js", SCRIPT, home_unlock_js),
    ASSET("home/watch.js", SCRIPT, home_watch_js),
    ASSET("home/welcome.js", SCRIPT, home_welcome_js),
    ASSET("home/worker.js", SCRIPT, home_worker_js),
    ASSET("home/index.html", HTML, home_index_html),
    ASSET("label.js", SCRIPT, label_js),
    ASSET("index.html", HTML, index_html),
    ASSET("layout.js", SCRIPT, layout_js),
    ASSET("luna.css", CSS, luna_css),
    ASSET("luna.svg", SVG, luna_svg),
    ASSET("libraries/leaflet.js", SCRIPT, leaflet_js),
    ASSET("libraries/leaflet.css", CSS, leaflet_css),
    ASSET("libraries/markercluster.js", SCRIPT, markercluster_js),
    ASSET("libraries/markercluster.css", CSS, markercluster_css),
    ASSET("main.js", SCRIPT, main_js),
    ASSET("notice.js", SCRIPT, notice_js),
    ASSET("photo.js", SCRIPT, photo_js),
    ASSET("placebox.js", SCRIPT, placebox_js),
    ASSET("placemap.js", SCRIPT, placemap_js),
    ASSET("print.js", SCRIPT, print_js),
    ASSET("pages/about.js", SCRIPT, pages_about_js),
    ASSET("pages/accounts.js", SCRIPT, pages_accounts_js),
    ASSET("pages/dashboard.js", SCRIPT, pages_dashboard_js),
    ASSET("pages/device.js", SCRIPT, pages_device_js),
    ASSET("pages/devices.js", SCRIPT, pages_devices_js),
    ASSET("pages/directory.js", SCRIPT, pages_directory_js),
    ASSET("pages/editor.js", SCRIPT, pages_editor_js),
    ASSET("pages/gateway.js", SCRIPT, pages_gateway_js),
    ASSET("pages/history.js", SCRIPT, pages_history_js),
    ASSET("pages/invitation.js", SCRIPT, pages_invitation_js),
    ASSET("pages/map.js", SCRIPT, pages_map_js),
    ASSET("pages/me.js", SCRIPT, pages_me_js),
    ASSET("pages/scan.js", SCRIPT, pages_scan_js),
    ASSET("pages/settings.js", SCRIPT, pages_settings_js),
    ASSET("pages/signin.js", SCRIPT, pages_signin_js),
    ASSET("pull.js", SCRIPT, pull_js),
    ASSET("router.js", SCRIPT, router_js),
    ASSET("rows.js", SCRIPT, rows_js),
    ASSET("saved.js", SCRIPT, saved_js),
    ASSET("session.js", SCRIPT, session_js),
    ASSET("sessions.js", SCRIPT, sessions_js),
    ASSET("stream.js", SCRIPT, stream_js),
    ASSET("swipe.js", SCRIPT, swipe_js),
    ASSET("text.js", SCRIPT, text_js),
    ASSET("theme.js", SCRIPT, theme_js),
    ASSET("usage.js", SCRIPT, usage_js),
};

const luna_web_asset *luna_web_assets(size_t *count) {
  *count = sizeof assets / sizeof *assets;
  return assets;
}
