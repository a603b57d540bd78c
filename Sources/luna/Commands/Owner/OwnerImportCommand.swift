import CommandSpec
import LunaOwner
import LunaCore
import LunaCrypto

/// `luna owner import`: adds the devices of a file.
struct OwnerImportCommand: Sendable {
  var path = ""
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "import", "Add the devices of a file.",
    discussion: [
      "The file is one of luna owner export or luna tracker export, or an accessory of Apple's Find "
        + "My network as FindMy.py writes it: JSON, or the decrypted record as an XML property list. "
        + "All of its devices are added or, when one is wrong, none.",
      "Keys of other devices are written down by hand, as entries of a file of the form "
        + "{\"format\":\"luna-devices\",\"version\":1,\"devices\":[...]}. kind is eddystone-eid (with "
        + "identityKey, exponent, and counter, the clock of the beacon in seconds at "
        + "onboardingTimestamp), google-find-hub (identityKey, and counter likewise; 0 without it) or "
        + "resolvable-address (identityResolvingKey); every entry may have a name and a uuid. Keys "
        + "are hexadecimal digits, most significant byte first.",
    ],
    initial: OwnerImportCommand(),
    arguments: [.required("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner import backup.json", "What luna owner export wrote"),
      Example("luna owner import airtag.json", "What FindMy.py wrote"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      var bytes = try InputFile.read(path)
      defer { wipe(&bytes) }
      do {
        for device in try await session.owner.importDevices(bytes) {
          session.tell("imported", device, "\(device.name) is imported")
        }
      } catch {
        guard let failure = CommandFailure(owner: error), failure.code == .unreadableInput,
          !(error is CommandFailure)
        else { throw error }
        throw CommandFailure(
          failure.code, "cannot import \(path == "-" ? "standard input" : path): \(failure.reason)",
          hint: failure.hint)
      }
      return .done
    }
  }
}
