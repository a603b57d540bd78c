import Bluetooth
import Diagnosis
import PeripheralHost

/// What is wrong with a controller, for people.
extension SourceError {
  init(_ fault: ControllerFault) {
    switch fault {
    case .silent(let opcode):
      let what = opcode == HCIOpcode.reset ? "does not answer" : "fell silent"
      self = .silence("the controller \(what)", SourceError.name(of: opcode))
    case .refused(let opcode, let status):
      self = .refusal(SourceError.name(of: opcode), status)
    case .noLowEnergy:
      self.init(
        .noAdapter, "the controller does not support Bluetooth LE", remedy: "use another adapter")
    case .hardware:
      self.init(.lost, "the controller reports a fault of its hardware")
    case .stuck:
      self.init(.lost, "the controller does not do what it must", remedy: "plug it in again")
    case .fewAdvertisingSets(let count):
      self.init(
        .invalid,
        "the controller can send \(count) advertisement\(count == 1 ? "" : "s") at a time",
        remedy: "run fewer trackers on it")
    }
  }

  static func silence(_ what: String, _ command: String) -> SourceError {
    SourceError(
      .lost, "\(what) (\(command))",
      remedy: "check that it speaks H4 and, on a serial line, the speed and flow control")
  }

  static func refusal(_ command: String, _ status: HCIStatus) -> SourceError {
    SourceError(
      .lost, "the controller refuses \(command): \(status)",
      remedy: "plug it in again, or reset it")
  }

  private static func name(of opcode: UInt16) -> String {
    switch opcode {
    case HCIOpcode.reset: "Reset"
    case HCIOpcode.readLocalVersion: "Read Local Version Information"
    case HCIOpcode.readLocalFeatures: "Read Local Supported Features"
    case HCIOpcode.readLocalCommands: "Read Local Supported Commands"
    case HCIOpcode.readAddress: "Read BD_ADDR"
    case HCIOpcode.setEventMask: "Set Event Mask"
    case HCIOpcode.writeLEHostSupport: "Write LE Host Support"
    case HCIOpcode.leReadLocalFeatures: "LE Read Local Supported Features"
    case HCIOpcode.leSetEventMask: "LE Set Event Mask"
    case HCIOpcode.leReadBufferSize: "LE Read Buffer Size"
    case HCIOpcode.readBufferSize: "Read Buffer Size"
    default:
      "command 0x\(Hex.upper(UInt8(opcode >> 8)))\(Hex.upper(UInt8(truncatingIfNeeded: opcode)))"
    }
  }
}
