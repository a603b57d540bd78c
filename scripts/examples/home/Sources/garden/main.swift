import Luna
import LunaHomeWeb
import LunaStore

// garden STATE: runs the home of garden.json, with its data in the directory STATE.
var settings = LunaSettings()
settings.state = StateDirectory(path: CommandLine.arguments.dropFirst().first ?? "garden-state")
let application = LunaApplication(settings)
application.register(Plant.self, as: "Plant")
for problem in try await application.loadConfiguration("garden.json") { print(problem) }
let events = application.events
try await application.start()
if let link = try await application.firstAccountLink() { print("make your account: \(link)") }
for await event in events {
  switch event {
  case .trackerChanged(let tracker):
    print("\(tracker.name): \(tracker["moisture"]?.value ?? .null) % wet")
    if let wet = tracker["moisture"]?.number, wet < 20 {
      try await application.devices.perform("water", on: tracker.id)
    }
  case .signedIn(let session): print("\(session.account) is here")
  default: break
  }
}
