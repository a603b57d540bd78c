import LunaTracker

do {
  _ = try TrackerFlash(name: "../keys", state: "/nowhere")
} catch {
  print(error)
}
