public import LunaJSON

extension OriginalJudgement {
  /// What it says as members of an object; what there is none of is absent.
  public var members: JSONObject {
    var object = JSONObject()
    for (name, value) in [
      ("area", area), ("ks2d", test?.distance), ("ks2p", test?.p), ("ks2Ratio", ratio),
    ] {
      if let value { object.append(name, .real(value)) }
    }
    object.append("verdict", .string(verdict.rawValue))
    return object
  }
}
