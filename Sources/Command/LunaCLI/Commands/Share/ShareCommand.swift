import CommandSpec
import LunaCore
import LunaCrypto
import LunaOwner
import LunaShare

/// `luna share`: trackers that are shared for a time.
enum ShareCommand {
  static let node = CommandNode<LunaCommand.Action>(
    "share", "Share a tracker for a time, and take what others share.",
    discussion: [
      "A share is a file, sealed for one contact: what the tracker is called in each period of 17 "
        + "minutes until a day, and no key of it. Send it by any way. To see for a day or two fits into a "
        + "QR code, which the other one takes as a picture."
    ],
    groups: [GeneralOptions.group.description],
    subcommands: [
      ShareAddCommand.command.node { options in { await options.run() } },
      ShareListCommand.command.node { options in { await options.run() } },
      ShareShowCommand.command.node { options in { await options.run() } },
      ShareRenewCommand.command.node { options in { await options.run() } },
      ShareEndCommand.command.node { options in { await options.run() } },
      ShareImportCommand.command.node { options in { await options.run() } },
      ShareImportCommand.inspection.node { options in { await options.run() } },
    ],
    examples: [
      Example("luna share add bike ben", "Ben sees it for 30 days"),
      Example("luna share import bike-ben.lunashare", "What Ben does with the file"),
    ],
    exitStatuses: ExitCode.statuses)

  /// What ending a share cannot do, which is said before.
  static let warning = ShareWarning.ending

  static func fileOptions<Options: Sendable>(
    _ file: Field<Options, String?>, _ overwrites: Field<Options, Bool>
  ) -> [Option<Options>] {
    [
      .value(
        "output", short: "o", "FILE", "Write the share to FILE; .svg or .png: its QR code", file,
        .file
      )
      .defaulting(to: "TRACKER-CONTACT.lunashare"),
      .flag("force", "Overwrite an existing file", overwrites),
    ]
  }

  /// A name for a file, of whatever the names are.
  static func file(_ tracker: String, _ contact: String) -> String {
    func plain(_ name: String) -> String {
      String(
        name.unicodeScalars.prefix(64).map { scalar -> Character in
          scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            ? Character(scalar) : "-"
        })
    }
    // What begins with a hyphen is taken for an option.
    let names = "\(plain(tracker))-\(plain(contact))".drop { $0 == "-" }
    return "\(names.isEmpty ? "share" : names).lunashare"
  }
}
