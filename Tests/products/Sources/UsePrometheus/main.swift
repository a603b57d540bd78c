import Prometheus

var page = MetricsText()
page.gauge("answer", "The answer.", [([], 42)])
print(page.text)
