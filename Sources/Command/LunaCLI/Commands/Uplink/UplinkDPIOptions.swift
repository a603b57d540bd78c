import CommandSpec
import UplinkProtocol

/// How it is found out what a network recognises.
struct UplinkDPIOptions: Sendable {
  var controlName = "example.com"
  var otherPort: UInt16?
  var resumes = false
  var simulation: SimulatedBox.Behaviour?

  static var group: OptionGroup<UplinkDPIOptions> {
    OptionGroup(
      "Probes",
      [
        UplinkPairOptions.controlOption(\.controlName),
        .value(
          "other-port", "PORT", "Where the same server listens as well, so that the port is probed",
          \.otherPort, .integer(1...65_535)),
        .flag(
          "resume", "Go on where an inspection of the bytes of FILE was broken off", \.resumes),
        .value(
          "simulate", "WHAT", "Inspect a network that is made up and recognises this",
          \.simulation, .choice),
      ], exclusive: [["resume", "simulate"]])
  }
}
