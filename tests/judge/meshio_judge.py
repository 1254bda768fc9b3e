# SPDX-License-Identifier: MIT
"""An independent judge of the mesh formats: meshio (Debian: python3-meshio).

usage: meshio_judge.py PROGRAM

PROGRAM (mesh_samples.cpp) writes meshes in every format; meshio must read them with the same counts,
regions and volume. Then meshio writes, and PROGRAM must read. Ends with 77 (skipped) without meshio.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import meshio
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

OUR_NAME = {"tetra": "4-node tetrahedron", "tetra10": "10-node tetrahedron",
            "hexahedron": "8-node hexahedron", "triangle": "triangle"}


def tetra_volume(x):
    """x: elements by 4 nodes by 3."""
    return np.linalg.det(x[:, 1:] - x[:, :1]).sum() / 6


def triangle_volume(x):
    """What the triangles enclose."""
    return np.einsum("ij,ij->", x[:, 0], np.cross(x[:, 1], x[:, 2])) / 6


def integral_of_det(x, points, weights, gradient):
    """The integral of the Jacobian determinant; gradient(p): nodes by 3."""
    return sum(w * np.linalg.det(np.einsum("eni,nj->eij", x, gradient(p))).sum()
               for p, w in zip(points, weights))


def hexahedron_volume(x):
    s = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1],
                  [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float)

    def gradient(p):
        f = 1 + s * p
        return np.stack([s[:, 0] * f[:, 1] * f[:, 2], f[:, 0] * s[:, 1] * f[:, 2],
                         f[:, 0] * f[:, 1] * s[:, 2]], axis=1) / 8

    return integral_of_det(x, s / np.sqrt(3), np.ones(8), gradient)


def tetra10_volume(x):
    """Gauss points of a cube, collapsed to the tetrahedron."""
    t, w = np.polynomial.legendre.leggauss(5)
    t, w = (t + 1) / 2, w / 2
    points, weights = [], []
    for a, wa in zip(t, w):
        for b, wb in zip(t, w):
            for c, wc in zip(t, w):
                points.append((a, b * (1 - a), c * (1 - a) * (1 - b)))
                weights.append(wa * wb * wc * (1 - a) ** 2 * (1 - b))
    dL = np.array([[-1, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]

    def gradient(p):
        L = np.array([1 - sum(p), *p])
        corners = (4 * L - 1)[:, None] * dL
        middles = [4 * (L[i] * dL[j] + L[j] * dL[i]) for i, j in edges]
        return np.vstack([corners, middles])

    return integral_of_det(x, points, weights, gradient)


VOLUME = {"tetra": tetra_volume, "tetra10": tetra10_volume, "hexahedron": hexahedron_volume,
          "triangle": triangle_volume}


def regions_in(mesh, kind):
    """Number of cells of each region, as far as the format tells, by name; else None."""
    if "gmsh:physical" in mesh.cell_data:
        names = {int(v[0]): k for k, v in mesh.field_data.items() if int(v[1]) == 3}
        values = mesh.get_cell_data("gmsh:physical", kind)
    elif "region" in mesh.cell_data:
        raw = bytes(np.asarray(mesh.field_data["region_names"], dtype=np.uint8).ravel()) \
            if "region_names" in mesh.field_data else None
        if raw is None:
            return None
        names = dict(enumerate(raw.decode().split("\0")[:-1]))
        values = mesh.get_cell_data("region", kind)
    else:
        return None
    tags, counts = np.unique(values, return_counts=True)
    return {names[int(t)]: int(n) for t, n in zip(tags, counts) if names.get(int(t), "(all)") != "(all)"}


def read_by_meshio(folder, sample):
    """What is wrong with our file; None if nothing is."""
    mesh = meshio.read(folder / sample["file"])
    kind = {ours: theirs for theirs, ours in OUR_NAME.items()}[sample["type"]]
    cells = mesh.get_cells_type(kind)
    is_stl = sample["file"].endswith(".stl")  # every triangle has corners of its own
    if not is_stl and len(mesh.points) != sample["points"]:
        return f"{len(mesh.points)} points, not {sample['points']}"
    if len(cells) != sample["cells"]:
        return f"{len(cells)} cells, not {sample['cells']}"
    volume = VOLUME[kind](np.asarray(mesh.points, float)[cells])
    if not abs(volume - sample["volume"]) <= (1e-5 if is_stl else 1e-12) * sample["volume"]:
        return f"volume {volume}, not {sample['volume']}"
    regions = regions_in(mesh, kind)
    if regions is not None and regions != sample["regions"]:
        return f"regions {regions}, not {sample['regions']}"
    return None


def block(nx, ny, nz):
    """Points of a slightly skewed block, its bricks, and six tetrahedra in each."""
    index = np.arange((nx + 1) * (ny + 1) * (nz + 1)).reshape(nz + 1, ny + 1, nx + 1)
    k, j, i = (a.ravel() for a in np.meshgrid(np.arange(nz + 1), np.arange(ny + 1),
                                              np.arange(nx + 1), indexing="ij"))
    points = np.stack([i / 3 + 0.1 * j, j / 7 + 0.01 * k, k * 0.3], axis=1)
    corner = [index[c[2]:nz + c[2], c[1]:ny + c[1], c[0]:nx + c[0]].ravel()
              for c in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
                        (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]]
    bricks = np.stack(corner, axis=1)
    tets = bricks[:, [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6],
                      [0, 5, 1, 6]]].reshape(-1, 4)
    return points, bricks, tets


def quadratic(points, tets):
    """The tetrahedra with midpoints, some of them moved off the edge."""
    middles = {}
    cells = []
    for tet in tets:
        cell = list(tet)
        for a, b in [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]:
            edge = tuple(sorted((tet[a], tet[b])))
            middles.setdefault(edge, len(points) + len(middles))
            cell.append(middles[edge])
        cells.append(cell)
    new = np.array([(points[a] + points[b]) / 2 for a, b in middles])
    new[new[:, 2] == 0, 2] -= 0.002
    return np.vstack([points, new]), np.array(cells)


def surface_of(tets):
    """The triangles that belong to one tetrahedron, oriented outwards."""
    faces = tets[:, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True,
                                return_counts=True)
    return faces[np.sort(first[count == 1])]


def write_by_meshio(folder):
    points, bricks, tets = block(4, 3, 2)
    points10, tets10 = quadratic(points, tets)
    meshes = {"tetra": (points, tets), "hexahedron": (points, bricks), "tetra10": (points10, tets10)}
    triangles = surface_of(tets)
    used, renumbered = np.unique(triangles, return_inverse=True)
    surface = (points[used], renumbered.reshape(-1, 3))
    samples = []

    def write(name, file_format, kind, data, tolerance=1e-12, cell_data=None, regions=None,
              **options):
        x, cells = data
        mesh = meshio.Mesh(x, [(kind, cells)], cell_data=cell_data or {})
        volume = VOLUME[kind](x[cells])
        meshio.write(folder / name, mesh, file_format=file_format, **options)
        samples.append({"file": name, "points": len(x), "cells": len(cells), "type": OUR_NAME[kind],
                        "volume": volume, "tolerance": tolerance, "regions": regions or {}})

    for kind, data in meshes.items():
        n = len(data[1])
        half = np.where(np.arange(n) < n // 2, 3, 8)
        halves = {"3": n // 2, "8": n - n // 2}
        for binary in (False, True):
            name = f"meshio_{kind}_{'binary' if binary else 'text'}"
            write(f"{name}_22.msh", "gmsh22", kind, data, binary=binary, regions=halves,
                  cell_data={"gmsh:physical": [half], "gmsh:geometrical": [half]})
            write(f"{name}_41.msh", "gmsh", kind, data, binary=binary)
            write(f"{name}_42.vtk", "vtk42", kind, data, binary=binary, regions=halves,
                  cell_data={"region": [half], "other": [np.ones((n, 3))]})
            write(f"{name}_51.vtk", "vtk", kind, data, binary=binary)
        region = {"cell_data": {"region": [half], "other": [np.ones((n, 3))]}, "regions": halves}
        write(f"meshio_{kind}_zlib.vtu", "vtu", kind, data, **region)
        write(f"meshio_{kind}_zlib64.vtu", "vtu", kind, data, header_type="UInt64", **region)
        write(f"meshio_{kind}_plain.vtu", "vtu", kind, data, compression=None, **region)
        write(f"meshio_{kind}_text.vtu", "vtu", kind, data, 1e-9, binary=False, **region)
        write(f"meshio_{kind}.inp", "abaqus", kind, data)
        if kind != "tetra10":
            write(f"meshio_{kind}.mesh", "medit", kind, data, regions={"1": n})
    write("meshio_tetra.node", "tetgen", "tetra", meshes["tetra"])
    write("meshio_surface_22.msh", "gmsh22", "triangle", surface)
    write("meshio_surface.vtu", "vtu", "triangle", surface)
    write("meshio_surface.vtk", "vtk", "triangle", surface)
    write("meshio_surface.obj", "obj", "triangle", surface)
    write("meshio_surface.off", "off", "triangle", surface)
    for binary in (False, True):
        name = f"meshio_surface_{'binary' if binary else 'text'}"
        write(f"{name}.stl", "stl", "triangle", surface, 1e-5, binary=binary)
        write(f"{name}.ply", "ply", "triangle", surface, binary=binary)
    (folder / "meshio.json").write_text(json.dumps(samples, indent=1))


def main():
    program = sys.argv[1]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([program, "write", folder], check=True)
        samples = json.loads((folder / "expected.json").read_text())
        for sample in samples:
            try:
                problem = read_by_meshio(folder, sample)
            except (Exception, SystemExit) as error:  # meshio ends the program on some errors
                problem = f"meshio cannot read it: {type(error).__name__}: {error}"
            if problem:
                wrong += 1
                print(f"{sample['file']}: {problem}")
        print(f"{len(samples)} of our meshes read by meshio, {wrong} of them wrong")
        write_by_meshio(folder)
        wrong += subprocess.run([program, "check", folder]).returncode
    sys.exit(1 if wrong else 0)


main()
