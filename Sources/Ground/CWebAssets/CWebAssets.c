#include "CWebAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "ui/api.js"
};
static const unsigned char badge_js[] = {
#embed "ui/badge.js"
};
static const unsigned char camera_js[] = {
#embed "ui/camera.js"
};
static const unsigned char chart_js[] = {
#embed "ui/chart.js"
};
static const unsigned char chart_library_js[] = {
#embed "/usr/share/javascript/chart.js/chart.min.js"
};
static const unsigned char connection_js[] = {
#embed "ui/connection.js"
};
static const unsigned char dom_js[] = {
#embed "ui/dom.js"
};
static const unsigned char enrolment_js[] = {
#embed "ui/enrolment.js"
};
static const unsigned char events_license_js[] = {
#embed "ui/events/license.js"
};
static const unsigned char events_page_css[] = {
#embed "ui/events/page.css"
};
static const unsigned char events_page_js[] = {
#embed "ui/events/page.js"
};
static const unsigned char form_js[] = {
#embed "ui/form.js"
};
static const unsigned char ground_js[] = {
#embed "ui/ground.js"
};
static const unsigned char home_app_js[] = {
#embed "ui/home/app.js"
};
static const unsigned char home_controls_js[] = {
#embed "ui/home/controls.js"
};
static const unsigned char home_detail_js[] = {
#embed "ui/home/detail.js"
};
static const unsigned char home_enter_js[] = {
#embed "ui/home/enter.js"
};
static const unsigned char home_list_js[] = {
#embed "ui/home/list.js"
};
static const unsigned char home_live_js[] = {
#embed "ui/home/live.js"
};
static const unsigned char home_main_js[] = {
#embed "ui/home/main.js"
};
static const unsigned char home_map_js[] = {
#embed "ui/home/map.js"
};
static const unsigned char home_more_js[] = {
#embed "ui/home/more.js"
};
static const unsigned char home_push_js[] = {
#embed "ui/home/push.js"
};
static const unsigned char home_worker_js[] = {
#embed "ui/home/worker.js"
};
static const unsigned char home_ruleform_js[] = {
#embed "ui/home/ruleform.js"
};
static const unsigned char home_rules_js[] = {
#embed "ui/home/rules.js"
};
static const unsigned char home_contacts_js[] = {
#embed "ui/home/contacts.js"
};
static const unsigned char home_notifications_js[] = {
#embed "ui/home/notifications.js"
};
static const unsigned char home_onboard_js[] = {
#embed "ui/home/onboard.js"
};
static const unsigned char home_own_js[] = {
#embed "ui/home/own.js"
};
static const unsigned char home_schedules_js[] = {
#embed "ui/home/schedules.js"
};
static const unsigned char home_shares_js[] = {
#embed "ui/home/shares.js"
};
static const unsigned char home_unlock_js[] = {
#embed "ui/home/unlock.js"
};
static const unsigned char home_watch_js[] = {
#embed "ui/home/watch.js"
};
static const unsigned char home_welcome_js[] = {
#embed "ui/home/welcome.js"
};
static const unsigned char home_index_html[] = {
#embed "ui/home/index.html"
};
static const unsigned char label_js[] = {
#embed "ui/label.js"
};
static const unsigned char layout_js[] = {
#embed "ui/layout.js"
};
static const unsigned char index_html[] = {
#embed "ui/index.html"
};
static const unsigned char luna_css[] = {
#embed "ui/luna.css"
};
static const unsigned char luna_svg[] = {
#embed "ui/luna.svg"
};
static const unsigned char leaflet_js[] = {
#embed "/usr/share/javascript/leaflet/leaflet.min.js.gz"
};
static const unsigned char leaflet_css[] = {
#embed "/usr/share/javascript/leaflet/leaflet.css"
};
static const unsigned char markercluster_js[] = {
#embed "/usr/share/javascript/leaflet/leaflet.markercluster.min.js.gz"
};
static const unsigned char markercluster_css[] = {
#embed "/usr/share/javascript/leaflet/MarkerCluster.css"
};
static const unsigned char main_js[] = {
#embed "ui/main.js"
};
static const unsigned char notice_js[] = {
#embed "ui/notice.js"
};
static const unsigned char photo_js[] = {
#embed "ui/photo.js"
};
static const unsigned char placebox_js[] = {
#embed "ui/placebox.js"
};
static const unsigned char placemap_js[] = {
#embed "ui/placemap.js"
};
static const unsigned char print_js[] = {
#embed "ui/print.js"
};
static const unsigned char pages_about_js[] = {
#embed "ui/pages/about.js"
};
static const unsigned char pages_accounts_js[] = {
#embed "ui/pages/accounts.js"
};
static const unsigned char pages_dashboard_js[] = {
#embed "ui/pages/dashboard.js"
};
static const unsigned char pages_device_js[] = {
#embed "ui/pages/device.js"
};
static const unsigned char pages_devices_js[] = {
#embed "ui/pages/devices.js"
};
static const unsigned char pages_directory_js[] = {
#embed "ui/pages/directory.js"
};
static const unsigned char pages_editor_js[] = {
#embed "ui/pages/editor.js"
};
static const unsigned char pages_gateway_js[] = {
#embed "ui/pages/gateway.js"
};
static const unsigned char pages_history_js[] = {
#embed "ui/pages/history.js"
};
static const unsigned char pages_invitation_js[] = {
#embed "ui/pages/invitation.js"
};
static const unsigned char pages_map_js[] = {
#embed "ui/pages/map.js"
};
static const unsigned char pages_me_js[] = {
#embed "ui/pages/me.js"
};
static const unsigned char pages_scan_js[] = {
#embed "ui/pages/scan.js"
};
static const unsigned char pages_settings_js[] = {
#embed "ui/pages/settings.js"
};
static const unsigned char pages_signin_js[] = {
#embed "ui/pages/signin.js"
};
static const unsigned char pull_js[] = {
#embed "ui/pull.js"
};
static const unsigned char router_js[] = {
#embed "ui/router.js"
};
static const unsigned char rows_js[] = {
#embed "ui/rows.js"
};
static const unsigned char saved_js[] = {
#embed "ui/saved.js"
};
static const unsigned char session_js[] = {
#embed "ui/session.js"
};
static const unsigned char sessions_js[] = {
#embed "ui/sessions.js"
};
static const unsigned char stream_js[] = {
#embed "ui/stream.js"
};
static const unsigned char swipe_js[] = {
#embed "ui/swipe.js"
};
static const unsigned char text_js[] = {
#embed "ui/text.js"
};
static const unsigned char theme_js[] = {
#embed "ui/theme.js"
};
static const unsigned char usage_js[] = {
#embed "ui/usage.js"
};

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
    ASSET("home/app.js", SCRIPT, home_app_js),
    ASSET("home/contacts.js", SCRIPT, home_contacts_js),
    ASSET("home/controls.js", SCRIPT, home_controls_js),
    ASSET("home/detail.js", SCRIPT, home_detail_js),
    ASSET("home/enter.js", SCRIPT, home_enter_js),
    ASSET("home/list.js", SCRIPT, home_list_js),
    ASSET("home/live.js", SCRIPT, home_live_js),
    ASSET("home/main.js", SCRIPT, home_main_js),
    ASSET("home/map.js", SCRIPT, home_map_js),
    ASSET("home/more.js", SCRIPT, home_more_js),
    ASSET("home/notifications.js", SCRIPT, home_notifications_js),
    ASSET("home/onboard.js", SCRIPT, home_onboard_js),
    ASSET("home/own.js", SCRIPT, home_own_js),
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
