package import Bluetooth
import LunaCore

/// The first JSON line of a stream.
package enum StartLine {
  /// The version of the vocabulary of all JSON lines: it changes when a field is renamed or means
  /// something else, not when one is added.
  package static let schema: Int64 = 2

  package static func append(_ description: SourceDescription, to output: OutputBuffer) {
    append(source: description.name, simulated: description.simulated, to: output)
  }

  /// - Parameter fields: what a command has to say besides.
  package static func append(
    source: String, simulated: Bool, to output: OutputBuffer,
    _ fields: (inout JSONFieldWriter) -> Void = { _ in }
  ) {
    var writer = JSONFieldWriter("start", in: output)
    writer.integer("schema", schema)
    writer.string("version", LunaVersion.text)
    writer.string("source", source)
    writer.boolean("simulated", simulated)
    fields(&writer)
    writer.endLine()
  }
}
