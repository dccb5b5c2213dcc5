# Lethe in a container: the service, its migrations and its embedding model; no Postgres, no compiler.
# Why it looks like this: docs/decisions/0008-container.md. To fix the base to one digest:
#   docker build --build-arg PYTHON_IMAGE=python:3.11-slim-bookworm@sha256:... .
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS builder
WORKDIR /build
# What changes rarely comes first, so that a change of our code installs nothing anew.
COPY requirements-runtime.lock requirements-build.lock ./
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m venv --without-pip /opt/lethe && \
    python -m pip --python /opt/lethe/bin/python install --require-hashes -r requirements-runtime.lock
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m venv --without-pip /build/tools && \
    python -m pip --python /build/tools/bin/python install --require-hashes -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY alembic ./alembic
COPY app ./app
RUN /build/tools/bin/hatchling build -t wheel -d /build/dist && \
    python -m pip --python /opt/lethe/bin/python install --no-deps --no-index /build/dist/*.whl

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Lethe" \
      org.opencontainers.image.description="Memory-as-a-service for LLM agents: a forgetting system on Postgres and pgvector." \
      org.opencontainers.image.licenses="Apache-2.0"
# A number, because orchestrators that insist on "not root" cannot check a name.
RUN groupadd --gid 10001 lethe && \
    useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin lethe
COPY --from=builder /opt/lethe /opt/lethe
# onnxruntime reports to its maker unless told not to
ENV PATH=/opt/lethe/bin:$PATH \
    ORT_DISABLE_TELEMETRY=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LETHE_HOST=0.0.0.0 \
    LETHE_PORT=8000 \
    LETHE_LOG_FORMAT=json
WORKDIR /opt/lethe
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
# The same as `lethe health`, which would load the whole service every 15 seconds to ask one question.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-m", "app.health"]
ENTRYPOINT ["lethe"]
CMD ["serve"]
