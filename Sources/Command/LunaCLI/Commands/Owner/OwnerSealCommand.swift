import CommandSpec
import EventLoop
import LunaOwner
import LunaStore

/// `luna owner seal`: keeps the keys under a passphrase.
struct OwnerSealCommand: Sendable {
  var newPassphraseFile: String?
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "seal", "Protect the keys with a passphrase, or change it.",
    discussion: [
      "The keys are encrypted with AES-256-GCM under a random key, and that one under what scrypt "
        + "makes of the passphrase. From then on every command that needs them takes the passphrase "
        + "from --passphrase-file, from the credential luna.passphrase of systemd "
        + "($CREDENTIALS_DIRECTORY), or asks for it.",
      "In a service: systemd-creds encrypt --name=luna.passphrase FILE /etc/luna.passphrase.cred, "
        + "and LoadCredentialEncrypted=luna.passphrase:/etc/luna.passphrase.cred in its unit. The "
        + "passphrase is then bound to this machine, and to its TPM where it has one.",
    ],
    initial: OwnerSealCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "new-passphrase-file", "FILE", "Read the new passphrase from FILE", \.newPassphraseFile,
            .file
          ).defaulting(to: "asked for")
        ]),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner seal", "Asks for the new passphrase"),
      Example("luna owner seal --new-passphrase-file FILE", "The same in a script"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, .table, general) { session in
      // The old passphrase first: sealing anew needs the keys.
      let count = try await session.owner.allDevices().count
      let passphrase = try await Blocking.run { try Passphrase.new(file: newPassphraseFile) }
      try await session.store.seal(under: passphrase)
      session.diagnostics.note(
        "luna: the keys of \(count) device\(count == 1 ? "" : "s") are sealed; "
          + "without the passphrase they are lost")
      return .done
    }
  }
}
