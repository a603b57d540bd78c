import CommandSpec
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol

/// `luna owner import`: adds the devices of a file.
struct OwnerImportCommand: Sendable {
  var path = ""
  var alignmentPath: String?
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "import", "Add the devices in a file.",
    discussion: [
      "The file comes from luna owner export or luna tracker export, or describes an "
        + "accessory in Apple's Find My network as FindMy.py writes it: JSON, or the decrypted "
        + "record as an XML property list. Either all of its devices are added or, if one is "
        + "invalid, none.",
      "An accessory that was paired long ago is found at once if its position in its key "
        + "sequence is known: FindMy.py writes that into the JSON; for a decrypted record, "
        + "give its key alignment record with --alignment.",
      "A home-made tag that always sends the same key of the Find My network comes from what "
        + "FindMy.py (a key pair in JSON), OpenHaystack or macless-haystack (NAME.keys, "
        + "NAME_devices.json) wrote; that of NAME.keys is called NAME, unless it has a name already. "
        + "A tag that changes between several keys is refused: give each key a file or an entry of "
        + "its own, to follow them as that many devices.",
      "Keys of other devices are written down by hand, as entries of a file of the form "
        + "{\"format\":\"luna-devices\",\"version\":1,\"devices\":[...]}. kind is eddystone-eid (with "
        + "identityKey, exponent, and counter, the clock of the beacon in seconds at "
        + "onboardingTimestamp), google-find-hub (identityKey, counter likewise, 0 without it, and "
        + "curve, secp256r1 when the identifiers have 32 bytes, without it secp160r1), "
        + "apple-find-my-key (privateKey) or resolvable-address (identityResolvingKey); every "
        + "entry may have a name and a uuid. Keys are hexadecimal digits, most significant byte "
        + "first.",
    ],
    initial: OwnerImportCommand(),
    arguments: [.required("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OptionGroup(
        "What to import",
        [
          .value(
            "alignment", "FILE",
            "The key alignment record of the accessory, as an XML property list",
            \.alignmentPath, .file)
        ]),
      OutputOptions.group.scoped(to: \.output), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner import backup.json", "What luna owner export wrote"),
      Example("luna owner import airtag.json", "What FindMy.py wrote"),
      Example("luna owner import BIKE.keys", "The key of a home-made tag"),
      Example(
        "luna owner import airtag.plist --alignment alignment.plist", "Decrypted records"),
    ],
    exitStatuses: ExitCode.statuses)

  /// What a tag is called in whose file no name is: `BIKE` of `keys/BIKE.keys`.
  private var name: String? {
    let file = path.split(separator: "/").last ?? ""
    return file.hasSuffix(".keys") && file.utf8.count > 5
      ? String(file.dropLast(5).prefix(200)) : nil
  }

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      var bytes = try await InputFile.read(path)
      defer { wipe(&bytes) }
      do {
        var alignment: [UInt8]?
        if let alignmentPath { alignment = try await InputFile.read(alignmentPath) }
        let devices = try await session.owner.importDevices(bytes, alignment: alignment)
        for var device in devices {
          // A file of a key alone says a name by its own.
          if let name, devices.count == 1, !device.isNamed {
            try await session.owner.renameDevice(device, to: name)
            device.name = name
          }
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
