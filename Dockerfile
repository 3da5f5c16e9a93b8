# The action's image. Built by `docker build -t TAG -f Dockerfile .`, which is what GitHub's runner does; no BuildKit needed.
# A tag, not a digest, because this file must also build where the base is a stand-in; dependencies are pinned by hash.
ARG BASE_IMAGE=python:3.13-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /src
# pip's cache serves the second installation, and stays behind with this stage
COPY requirements/build.txt requirements/action.txt requirements/
RUN python -m venv /build \
 && /build/bin/pip install --quiet --no-compile --require-hashes -r requirements/build.txt \
 && python -m venv --without-pip /opt/gate \
 && /build/bin/pip --python /opt/gate/bin/python install --quiet --no-compile --require-hashes -r requirements/action.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY gate gate
RUN /build/bin/pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist . \
 && /build/bin/pip --python /opt/gate/bin/python install --quiet --no-compile --no-index --no-deps dist/*.whl
# numpy ships its own tests; nothing imports them. Bytecode that is never checked against its source starts faster.
RUN find /opt/gate -type d -name tests -prune -exec rm -r {} + \
 && /opt/gate/bin/python -I -c 'from gate.reports.templating import compile_templates; compile_templates()' \
 && /opt/gate/bin/python -I -c 'from gate.reports.html.surroundings import compile_templates; compile_templates()' \
 && /opt/gate/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/gate/lib

FROM ${BASE_IMAGE}
# The official base ships Python's own library without bytecode: every start would compile it anew.
RUN python -m compileall -q -j 0 -x '/(ensurepip|idlelib|site-packages|dist-packages|test|tkinter|turtledemo)/' \
    "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
COPY --from=build /opt/gate /opt/gate
ENV PYTHONDONTWRITEBYTECODE=1
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="gate" \
      org.opencontainers.image.description="A regression gate for AI-model evaluations" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
# No USER: the runner's mounts belong to another user. No WORKDIR: the runner gives its own. Absolute, because callers pass
# their PATH; -I, because a workspace with a folder `gate` must not take the place of this one.
ENTRYPOINT ["/opt/gate/bin/python", "-I", "-B", "-m", "gate.github"]
