/// By what a network recognises an original, as far as that is known.
package struct MatchFinding: Equatable, Sendable {
  /// For each field that was probed, whether a change of it ends the treatment.
  package let fields: [InspectedField: Bool]
  /// The bytes that are recognised, in order. Where there are several lists, each of them is enough by itself.
  package let alternatives: [[Range<Int>]]
  /// Where more such bytes are, not all of which were told apart from those beside them.
  package let blocks: [Range<Int>]
  /// Whether what the probes said cannot be true of any bytes.
  package let isContradictory: Bool

  /// Whether anything was found.
  package var isAnything: Bool {
    fields.values.contains(true) || !alternatives.isEmpty || !blocks.isEmpty
  }
}
