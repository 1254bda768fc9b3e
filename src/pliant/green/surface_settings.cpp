// SPDX-License-Identifier: MIT
#include "pliant/green/surface_settings.hpp"

#include <Eigen/Geometry>

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;
using table::Words;

namespace {

constexpr int most_taxels = 4096;

Table<PressureImageSettings> image_table() {
  Table<PressureImageSettings> t(
      "A picture of what presses on the body: the forces on its nodes, along the normal of a "
      "rectangle that is fixed in the body's frame, in the cells (taxels) of that.");
  using Image = PressureImageSettings;
  t.key({.name = "centre", .unit = "m", .description = "The middle of the rectangle."},
        &Image::centre);
  t.key({.name = "normal", .description = "Where it faces: out of the surface."}, &Image::normal);
  t.key(
      {.name = "up",
       .description = "Which way is up in the picture; its part along the normal does not count."},
      &Image::up);
  t.key(
      {.name = "width", .unit = "m", .least = 0, .above = true, .description = "Of the rectangle."},
      &Image::width);
  t.key({.name = "height",
         .unit = "m",
         .least = 0,
         .above = true,
         .description = "Of the rectangle."},
        &Image::height);
  t.key({.name = "columns", .least = 1, .most = most_taxels, .description = "Taxels side by side."},
        &Image::columns);
  t.key({.name = "rows", .least = 1, .most = most_taxels, .description = "Rows of taxels."},
        &Image::rows);
  t.check([](const Value& v, Image& image, Reader& r) {
    if (image.columns * image.rows > most_taxels) {
      r.fail(v.source, "too many taxels", text(image.columns * image.rows),
             "at most " + text(most_taxels));
    }
    if (!(image.normal.cross(image.up).norm() > 1e-6 * image.normal.norm() * image.up.norm())) {
      r.fail(v.source, "`up` is along the normal, and does not say how the picture is turned", "",
             "two directions");
    }
  });
  return t;
}

Table<SurfaceLinearity> linearity_table() {
  using Beyond = SurfaceLinearity::Beyond;
  Table<SurfaceLinearity> t("Where small deformations end.");
  t.option({.name = "beyond",
            .description = "Whether the surface stays as it was beyond the limit, or goes on and "
                           "the status says so."},
           Words<Beyond>{{"blocked", Beyond::blocked}, {"warned", Beyond::warned}},
           &SurfaceLinearity::beyond);
  t.key({.name = "strain",
         .least = 0,
         .above = true,
         .description = "Largest change of a length on the surface, over that length, about the "
                        "nodes on which something presses or pulls."},
        &SurfaceLinearity::strain);
  return t;
}

Table<TouchedPart> touched_table() {
  Table<TouchedPart> t("The part of a surface that can be touched: the nodes in a box.");
  t.key({.name = "from", .unit = "m", .required = true, .description = "Its lowest corner."},
        &TouchedPart::from);
  t.key({.name = "to", .unit = "m", .required = true, .description = "Its highest corner."},
        &TouchedPart::to);
  return t;
}

}  // namespace

PressureLayout PressureImageSettings::layout() const {
  PressureLayout layout{columns, rows, {}, {}, {}};
  const Vector3d n = normal.normalized();
  layout.right = width * up.cross(n).normalized();
  layout.up = height * n.cross(layout.right).normalized();
  layout.corner = centre - 0.5 * (layout.right + layout.up);
  return layout;
}

const Table<GreenSurfaceSettings>& green_surface_table() {
  static const Table<GreenSurfaceSettings> all = [] {
    using Settings = GreenSurfaceSettings;
    Table<Settings> t(
        "Small deformations without inertia of a body that is held somewhere, by the compliance of "
        "its surface. By boundary elements the body is homogeneous and its surface alone is "
        "needed, "
        "closed and turned outward. What is rigid presses on it.");
    t.option({.name = "method",
              .description =
                  "How the compliance of the surface is found: boundary elements at its nodes; "
                  "those of Galerkin, which are symmetric and take longer; finite elements, for "
                  "which the body has `meshing` and may be of several materials; or compressed "
                  "boundary elements, for surfaces of 5,000 nodes and more of which a part is "
                  "touched."},
             Words<Settings::Method>{{"collocation", Settings::Method::collocation},
                                     {"galerkin", Settings::Method::galerkin},
                                     {"elements", Settings::Method::elements},
                                     {"compressed", Settings::Method::compressed}},
             &Settings::method);
    t.option({.name = "contact",
              .description =
                  "Nothing overlaps and nothing pulls (complementarity), or the hard kernel of "
                  "[Klimenko03], to compare with: it pulls at the border of the contact, and its "
                  "force is off by a sixth."},
             Words<Settings::Contact>{{"complementarity", Settings::Contact::complementarity},
                                      {"kernel", Settings::Contact::kernel}},
             &Settings::contact);
    t.key({.name = "layer",
           .unit = "m",
           .least = 0,
           .description = "Of the hard kernel: how deep under the surface of what presses it is "
                          "hard."},
          &Settings::layer);
    t.option({.name = "grip",
              .description = "Whether what touches slips without friction, or sticks where it "
                             "first touched until it pulls."},
             Words<Grip>{{"slip", Grip::slip}, {"stick", Grip::stick}}, &Settings::grip);
    t.key({.name = "contacts",
           .least = 1,
           .most = 2000,
           .description = "Nodes of the surface that can touch at once."},
          &Settings::contacts);
    t.table({.name = "linearity", .description = "Where small deformations end."},
            &Settings::linearity, linearity_table());
    t.table(
        {.name = "touched",
         .description = "Of compressed boundary elements: the part that can be touched, where "
                        "forces act; the rest follows, some steps late, and is passed through."},
        &Settings::touched, touched_table());
    t.table({.name = "image", .description = "A picture of what presses on it."}, &Settings::image,
            image_table());
    t.check([](const Value& v, Settings& s, Reader& r) {
      const Settings usual;
      const bool kernel = s.contact == Settings::Contact::kernel;
      if (kernel && s.grip == Grip::stick) {
        r.fail(source_of(v, "grip"), "the hard kernel has no friction", "stick",
               "contact = \"complementarity\"");
      }
      const bool compressed = s.method == Settings::Method::compressed;
      if (compressed && !s.touched) {
        r.fail(source_of(v, "method"), "it does not say where the body can be touched",
               "compressed", "touched = { from = [x, y, z], to = [x, y, z] }");
      }
      if (!compressed && s.touched) {
        r.fail(source_of(v, "touched"), "all of the surface can be touched", "",
               "method = \"compressed\", or no such part");
      }
      if (!kernel && s.layer != usual.layer) {
        r.fail(source_of(v, "layer"), "only the hard kernel has a layer", text(s.layer),
               "contact = \"kernel\"");
      }
    });
    return t;
  }();
  return all;
}

GreenSurfaceSettings read_green_surface_settings(const Value& value) {
  GreenSurfaceSettings settings;
  Reader reader;
  green_surface_table().read(value, settings, reader);
  return settings;
}

std::string GreenSurfaceSettings::words() const {
  const char* how = method == Method::galerkin     ? "boundary elements by Galerkin"
                    : method == Method::elements   ? "surface of finite elements"
                    : method == Method::compressed ? "compressed boundary elements"
                                                   : "boundary elements";
  return "green, " + std::string(how) + ", at most " + text(contacts) + " nodes in contact" +
         (contact == Contact::kernel ? ", hard kernel" : "") +
         (grip == Grip::stick ? ", which stick" : "") +
         (linearity.beyond == SurfaceLinearity::Beyond::blocked ? ", blocked" : ", warned") +
         " beyond a strain of " + text(linearity.strain);
}

}  // namespace pliant
