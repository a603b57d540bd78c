import LunaDocuments
import LunaTables

extension SuspectLines {
  /// In the form that was asked for.
  init(_ output: OutputBuffer, _ format: OutputFormat?, _ times: ShownTimes) {
    self.init(output, OutputFormat.chosen(format).ofList, times)
  }
}
