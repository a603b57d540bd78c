// What is embedded, as it is. scripts/lib/common.sh makes another of this list where each file is packed.
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
static const unsigned char home_accounts_js[] = {
#embed "ui/home/accounts.js"
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
static const unsigned char home_issuer_js[] = {
#embed "ui/home/issuer.js"
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
static const unsigned char home_passkeys_js[] = {
#embed "ui/home/passkeys.js"
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
