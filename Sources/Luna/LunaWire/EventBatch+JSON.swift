public import LunaCore
public import LunaJSON

extension EventBatch {
  /// The batch as JSON.
  public var json: JSONValue {
    var object = JSONObject()
    if let batchID { object.append("batchId", .string(batchID)) }
    if let gateway { object.append("gateway", gateway.json) }
    object.append("events", .array(events.map(\.json)))
    return .object(object)
  }
}
