#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints, as SPDX 2.3 in JSON, what is in the Debian packages of a folder: each package, each file of it with its SHA-256, what it
depends on, and what it was built with: spdx.py FOLDER.

The folder has the packages and their .buildinfo files. Two runs over the same packages print the same octets."""

import datetime
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile

OURS = "BSD-3-Clause"
# The packages that have tables, and the packages whose data the build compiles into them.
TABLES = {"libxn1": ("libicu-dev",), "libxn-dev": ("libicu-dev",),
          **dict.fromkeys(("libidnpolicy1", "unbound-idn", "unbound-module-idn"), ("libicu-dev", "publicsuffix"))}


def identifier(*words):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.-]", "-", word.strip("/")) for word in words)


def paragraph(text):
    """Returns the fields of a control file's paragraph, with folded lines joined."""
    return {name: re.sub(r"\s+", " ", value).strip() for name, value in re.findall(r"^([\w-]+):((?:.*\n?)(?:[ \t].*\n?)*)", text, re.M)}


def data_licenses(built):
    """Returns the licenses of the data in TABLES; ICU has another one since its version 74."""
    icu = int(re.match(r"\d+", next(version for name, version, _ in built if name == "libicu-dev"))[0])
    return {"libicu-dev": "Unicode-3.0" if icu >= 74 else "Unicode-DFS-2016", "publicsuffix": "MPL-2.0"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def files_of(deb):
    """Yields path, content (None: not a regular file) and time of each member."""
    with tarfile.open(fileobj=io.BytesIO(output_of("dpkg-deb", "--fsys-tarfile", deb))) as tar:
        for member in tar:
            data = tar.extractfile(member).read() if member.isreg() else None
            yield member.name, data, member.mtime


def package(name, version, license_of, **more):
    return {"SPDXID": identifier("package", name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "licenseConcluded": license_of, "licenseDeclared": license_of, "copyrightText": "NOASSERTION", **more}


def main():
    folder = pathlib.Path(sys.argv[1])
    debs, infos = sorted(folder.glob("*.deb")), sorted(folder.glob("*.buildinfo"))
    if not debs or not infos:
        sys.exit(f"spdx.py: {folder} has no {'packages' if not debs else '.buildinfo file'}")
    packages, files, relations, latest = {}, [], [], 0

    def relate(one, relation, other):
        relations.append({"spdxElementId": one, "relationshipType": relation, "relatedSpdxElement": other})

    builds = [paragraph(info.read_text(encoding="utf-8")) for info in infos]
    built = sorted({(name, version, build["Source"]) for build in builds
                    for name, version in re.findall(r"([^ ,]+) \(= ([^)]+)\)", build["Installed-Build-Depends"])})
    data_license = data_licenses(built)
    controls = {deb: paragraph(output_of("dpkg-deb", "--field", deb).decode()) for deb in debs}
    for deb, control in controls.items():
        name = control["Package"]
        ours = control.get("Source", name).split()[0] == "unbound-idn"
        terms = " AND ".join([OURS, *(data_license[data] for data in TABLES.get(name, ()))]) if ours else "NOASSERTION"
        checksum = hashlib.sha256(deb.read_bytes()).hexdigest()
        entry = packages[name] = package(name, control["Version"], terms, packageFileName=deb.name, filesAnalyzed=True, hasFiles=[],
                                         checksums=[{"algorithm": "SHA256", "checksumValue": checksum}])
        hashes = []
        for path, data, time in files_of(deb):
            latest = max(latest, time)
            if data is None:
                continue
            sums = [{"algorithm": kind, "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("SHA1", "SHA256")]
            hashes.append(sums[0]["checksumValue"])
            files.append({"SPDXID": identifier("file", name, path), "fileName": path, "checksums": sums, "copyrightText": "NOASSERTION",
                          "licenseConcluded": terms, "licenseInfoInFiles": ["NOASSERTION"]})
            entry["hasFiles"].append(files[-1]["SPDXID"])
        entry["packageVerificationCode"] = {"packageVerificationCodeValue": hashlib.sha1("".join(sorted(hashes)).encode()).hexdigest()}
        relate("SPDXRef-DOCUMENT", "DESCRIBES", entry["SPDXID"])

    for name, version, _ in built:
        packages.setdefault(name, package(name, version, data_license.get(name, "NOASSERTION"), filesAnalyzed=False))
    for control in controls.values():
        this = packages[control["Package"]]["SPDXID"]
        for other in re.findall(r"(?:^|[,|])\s*([a-z0-9.+-]+)", f"{control.get('Pre-Depends', '')}, {control.get('Depends', '')}"):
            packages.setdefault(other, package(other, "NOASSERTION", "NOASSERTION", filesAnalyzed=False))
            relate(this, "DEPENDS_ON", packages[other]["SPDXID"])
        for data in TABLES.get(control["Package"], ()):
            relate(this, "GENERATED_FROM", packages[data]["SPDXID"])
    first = {}  # of the packages of each source: each stands for all of them
    for control in controls.values():
        first.setdefault(control.get("Source", control["Package"]).split()[0], packages[control["Package"]]["SPDXID"])
    for name, _, source in built:
        relate(packages[name]["SPDXID"], "BUILD_DEPENDENCY_OF", first[source])

    digest = hashlib.sha256("".join(sorted(deb.name + packages[controls[deb]["Package"]]["checksums"][0]["checksumValue"] for deb in debs)).encode())
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "unbound-idn",
        "documentNamespace": f"urn:sha256:{digest.hexdigest()}",
        "creationInfo": {"created": f"{datetime.datetime.fromtimestamp(latest, datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
                         "creators": ["Tool: unbound-idn-tools/build/spdx.py"]},
        "packages": list(packages.values()), "files": files, "relationships": relations}, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
