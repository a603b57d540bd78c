extension InspectionReport {
  /// The result of an inspection of a network that is made up, fields first, then bytes: nothing is sent, and the
  /// result says so.
  ///
  /// - Parameter seed: where all chance comes from.
  /// - Returns: the inspection at its end, and its result; nil where nothing can be made up.
  package static func simulated(
    _ behaviour: SimulatedBox.Behaviour, seed: UInt64
  ) -> (inspection: Inspection, report: InspectionReport)? {
    guard var box = SimulatedBox(behaviour, seed: seed) else { return nil }
    var inspection = Inspection(
      InspectedField.allCases.filter { $0 != .port }, bytes: box.bytes.count, seed: seed)
    while let subject = inspection.next { inspection.take(box.slot(subject).speed) }
    let report = InspectionReport(
      inspection, of: box.bytes.recording.name.text, box.bytes, server: "simulated",
      isSimulated: true)
    return (inspection, report)
  }
}
