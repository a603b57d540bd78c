import LunaJSON
import LunaStore

extension UplinkConditions {
  /// What a result by a rule of ours was made under.
  init(_ thresholds: JSONObject, seed: UInt64, link: String? = nil) {
    self.init(rule: "luna")
    self.thresholds = thresholds
    self.seed = seed
    self.link = link
  }
}
