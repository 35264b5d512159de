# busd: `make demo` shows it at work, `make test` proves it. Both install what they need.

PACKAGES = libyaml-dev libxml2-dev libsqlite3-dev libssl-dev libnghttp2-dev libmicrohttpd-dev libgnutls28-dev \
	libcurl4-openssl-dev libutf8proc-dev libjansson-dev libjemalloc-dev zlib1g-dev pkg-config
TEST_PACKAGES = $(PACKAGES) openssl curl gcc libc6-dev python3 python3-venv kannel kannel-extras

# Programs of other banks' kinds, for `make interop` alone: they take long to install.
INTEROP_PACKAGES = $(TEST_PACKAGES) default-jdk-headless jaxws libjaxws-java libaxis-java gsoap libgsoap-dev php-cli \
	php-soap libsoap-lite-perl

# A load generator, and what the bus is measured beside.
BENCH_PACKAGES = $(PACKAGES) wrk nginx-light nghttp2-client

SWIFT_FLAGS ?=

.PHONY: demo test interop build release bench format lint reference packages test-packages interop-packages bench-packages clean

demo: packages build
	.build/debug/busd demo $(if $(ONCE),--once)

# The end-to-end suites drive the release build: what is tested is what runs. One test at a time: several measure
# times or open thousands of descriptors, and some block threads of the pool that others need.
test: test-packages .venv/installed
	swift build -c release --product busd $(SWIFT_FLAGS)
	swift build --build-tests $(SWIFT_FLAGS)
	BUSD_PROGRAM="$(CURDIR)/.build/release/busd" scripts/with-failures swift test --skip-build --no-parallel $(SWIFT_FLAGS)

# Real clients of the field call all operations of a real bus.
interop: interop-packages .venv/installed build
	Tests/Interop/run .build/debug/busd

bench-packages:
	@scripts/install-packages $(BENCH_PACKAGES)

interop-packages:
	@scripts/install-packages $(INTEROP_PACKAGES)

# A bank's real SOAP client, for the tests.
.venv/installed: Tests/Interop/requirements.txt | test-packages
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

build: packages
	swift build --product busd $(SWIFT_FLAGS)

release: packages
	swift build -c release --product busd $(SWIFT_FLAGS)

bench: bench-packages
	Benchmarks/run

format:
	swift format format --in-place --recursive --parallel Sources Tests Benchmarks Examples Package.swift

lint:
	swift format lint --strict --recursive --parallel Sources Tests Benchmarks Examples Package.swift

packages:
	@scripts/install-packages $(PACKAGES)

test-packages:
	@scripts/install-packages $(TEST_PACKAGES)

clean:
	swift package clean
	rm -rf .venv

# The reference of the modules, from what they say of themselves.
reference: build
	.build/debug/busd modules --format markdown > docs/modules.md
