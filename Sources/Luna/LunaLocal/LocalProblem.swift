public import Diagnosis
public import LunaCore
public import LunaProtocol

/// Something that is wrong, and that following devices goes on in spite of. Each is told once.
public enum LocalProblem: Diagnosed, CustomStringConvertible, Hashable {
  /// Two devices have the same key: whichever is heard counts for both.
  case sameKey(DeviceUUID, DeviceUUID)
  /// The identifier of a device is sent from two addresses at the same time: a copy of the tracker,
  /// or a repeater.
  case twoSenders(DeviceUUID)
  /// What the store knows is newer than this machine's clock, by so many seconds.
  case clockBehindRecords(seconds: Int64)
  /// This machine's clock was set by so many seconds while devices were being followed.
  case ownerClockStepped(seconds: Int64)
  /// A device shows the identifiers of another time: its clock less ours is about so many seconds.
  case clockDisagrees(DeviceUUID, seconds: Int64)
  /// Frames of a protocol version that this one does not speak.
  case unsupportedVersion
  /// Frames like those of LunaTrackers under another company identifier.
  case foreignCompany
  /// The keys of a device cannot be used.
  case unusableKeys(DeviceUUID)
  /// A tracker is heard whose onboarding has not ended.
  case pendingHeard(DeviceUUID)
  /// The store refused.
  case store(DeviceStoreError)
}

extension LocalProblem {
  /// What happened, the likely cause and what to do.
  public var diagnosis: Diagnosis {
    switch self {
    case .sameKey(let first, let second):
      Diagnosis(
        "\(first) and \(second) have the same key, so that they cannot be told apart",
        remedy: "forget one of them")
    case .twoSenders(let uuid):
      Diagnosis(
        "\(uuid) is heard from two addresses at the same time: there is a copy of it, or a repeater",
        remedy: "onboard it again to give it a new key")
    case .clockBehindRecords(let seconds):
      Diagnosis(
        "the last sighting on record is \(LocalProblem.text(seconds.magnitude)) in the future: "
          + "this machine's clock is behind, or was ahead then",
        remedy: "check it (timedatectl). What is on record stays until that time has come, or a "
          + "tracker's clock is set at its side")
    case .ownerClockStepped(let seconds):
      Diagnosis(
        "this machine's clock was set \(seconds < 0 ? "back" : "forward") by "
          + "\(LocalProblem.text(seconds.magnitude)); the clocks of the trackers are counted from the "
          + "new time")
    case .clockDisagrees(let uuid, let seconds):
      Diagnosis(
        "\(uuid) is heard with identifiers of another time, "
          + "\(LocalProblem.text(seconds.magnitude)) \(seconds < 0 ? "behind" : "ahead of") this "
          + "machine's clock: one of the clocks is wrong, or this is a recording",
        remedy: "check the time here (timedatectl), then set the tracker's")
    case .unsupportedVersion:
      Diagnosis(
        "there are frames of another protocol version than \(LunaFrame.protocolVersion); they are "
          + "counted and left out", remedy: "a newer Luna may know them")
    case .foreignCompany:
      Diagnosis(
        "there are frames like those of LunaTrackers under a company identifier that is not "
          + "configured; they are counted and left out")
    case .unusableKeys(let uuid):
      Diagnosis("the keys of \(uuid) cannot be used", remedy: "import them again")
    case .pendingHeard(let uuid):
      Diagnosis(
        "the tracker \(uuid) is heard, whose onboarding did not end: "
          + "\(Remedy.Step.onboarding) ends it")
    case .store(let error): error.diagnosis
    }
  }

  private static func text(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
