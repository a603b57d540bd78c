import LunaHomeWeb

/// Is told what happens.
final class Witness: HomeListener {
  func home(_ application: LunaApplication, told event: HomeEvent) async { print(event) }
}

let witness = Witness()
let application = LunaApplication.shared
application.add(witness)
print(application.configuration == nil ? "nothing holds yet" : "a file holds")
do {
  try await application.start()
  fatalError("it started without a file")
} catch {
  print(error)
}
