/// The fields of a label, by the tags of version 1.
enum PayloadTag: UInt8 {
  case print = 1
  case name, site, mac, ip, manufacturer, model, place

  /// What errors call the field.
  var field: String { "\(self)" }
}
