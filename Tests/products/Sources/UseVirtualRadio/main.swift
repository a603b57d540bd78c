import VirtualRadio

let source = VirtualRadioSource(seed: 1)
try await source.start()
print(try await source.nextBatch()?.count ?? 0 > 0)
await source.stop()
