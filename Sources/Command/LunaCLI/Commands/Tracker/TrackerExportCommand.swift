import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaTracker
import TrackerMachine
import TrackerSimulation

/// `luna tracker export`: the keys of trackers, for their owner.
struct TrackerExportCommand: Sendable {
  var words: [String] = []
  var radio: RadioName?
  var overwrites = false
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "export", "Write the keys of trackers to a file for luna owner import.",
    discussion: [
      "FILE gets what luna owner import takes, as JSON that only you can read (mode 0600): the name, uuid, master "
        + "key and time of onboarding of each tracker. Each NAME is one that luna tracker list shows, and has to be "
        + "onboarded.",
      "With --radio virtual:SEED, the trackers are those in the simulated room that luna "
        + "scan --radio virtual:SEED shows; without NAME, all whose keys can be exported. "
        + "Their keys follow from the seed, so they are not secret.",
    ],
    initial: TrackerExportCommand(),
    arguments: [
      .repeated(
        "FILE", "The file, after the names of the trackers; - is standard output", atLeast: 1,
        \.words, .file
      ).after("NAME")
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "radio", "virtual[:SEED]", "Use the trackers in the simulated room", \.radio,
            RadioName.roomReader),
          .flag("force", "Overwrite an existing file", \.overwrites),
        ]),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker export keys keys.json", "One tracker"),
      Example("luna tracker export --radio virtual:7 room.json", "Those in a simulated room"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.radio != nil || options.words.count > 1 else {
        throw ValueProblem("the name of the tracker is missing", remedy: "use NAME FILE")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let names = Array(words.dropLast())
      let devices =
        if case .virtual(let seed)? = radio { try demo(names, seed) } else { try own(names) }
      var bytes = Array(DeviceFile.encode(devices.map(TrackerExportCommand.device)).utf8)
      defer { wipe(&bytes) }
      let path = words.last ?? "-"
      if path == "-" {
        bytes.withUnsafeBufferPointer { output.append($0) }
      } else {
        try OutputFile.writeSecret(bytes, to: path, replacing: overwrites)
        general.diagnostics.note(
          "luna: the keys of \(devices.count) tracker\(devices.count == 1 ? "" : "s") are in \(path); "
            + "whoever reads it can follow them")
      }
      return .done
    }
  }

  private static func device(_ exported: Exported) -> Device {
    Device(
      uuid: exported.ownership.uuid, masterKey: exported.ownership.masterKey,
      onboardingTimestamp: Timestamp(
        microseconds: Int64(exported.ownership.onboardingTimestamp) * 1_000_000),
      name: exported.name)
  }

  private typealias Exported = (name: String, ownership: TrackerRecord.Ownership)

  private func own(_ names: [String]) throws -> [Exported] {
    let directory = try state.path()
    return try names.map { name in
      guard let ownership = try TrackerFlash(name: name, state: directory).load().record.ownership
      else {
        throw CommandFailure(
          .notFound, "the tracker \"\(name)\" is in factory state and has no key",
          hint: "onboard it")
      }
      return (name, ownership)
    }
  }

  private func demo(_ names: [String], _ seed: UInt64) throws -> [Exported] {
    let all = try DemoTracker.all(seed: seed).filter { $0.kind == .own }
    let chosen = names.isEmpty ? all.map(\.name) : names
    return try chosen.map { name in
      guard let tracker = all.first(where: { $0.name == name }),
        let ownership = tracker.record.ownership
      else {
        throw CommandFailure(
          .notFound, "the simulated room does not export the keys of \"\(name)\"",
          hint: "it has \(all.map(\.name).joined(separator: ", "))")
      }
      return (name, ownership)
    }
  }
}
