// SPDX-License-Identifier: MIT
#include "pliant/asset/asset_head.hpp"
#include "pliant/scene/tables.hpp"

namespace pliant::scene {
namespace {

Table<IsotropicConstants> isotropic_table() {
  Table<IsotropicConstants> t("The same in all directions, by Young's modulus.");
  t.key({.name = "young",
         .unit = "Pa",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Young's modulus E: stiffness against stretching."},
        &IsotropicConstants::young);
  t.key({.name = "poisson",
         .least = -1,
         .most = 0.495,
         .above = true,
         .required = true,
         .description = "Poisson's ratio: how much it thins when stretched."},
        &IsotropicConstants::poisson);
  return t;
}

Table<LameConstants> lame_table() {
  Table<LameConstants> t("The same in all directions, by Lamé's constants.");
  t.key({.name = "lambda",
         .unit = "Pa",
         .required = true,
         .description = "First constant; 3 lambda + 2 mu must be positive."},
        &LameConstants::lambda);
  t.key({.name = "mu",
         .unit = "Pa",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Second constant: the shear modulus."},
        &LameConstants::mu);
  return t;
}

Table<OrthotropicConstants> orthotropic_table() {
  Table<OrthotropicConstants> t(
      "Different along three axes at right angles, such as wood; `law` is linear or stvk.");
  t.key({.name = "young",
         .unit = "Pa",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Young's moduli E1, E2, E3 along the axes."},
        &OrthotropicConstants::young);
  t.key({.name = "poisson",
         .required = true,
         .description = "Ratios nu12, nu23, nu31: contraction along j when pulled along i."},
        &OrthotropicConstants::poisson);
  t.key({.name = "shear",
         .unit = "Pa",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Shear moduli G12, G23, G31."},
        &OrthotropicConstants::shear);
  t.key({.name = "axes",
         .description = "Rotation that takes x, y, z to the material's axes 1, 2, 3."},
        &OrthotropicConstants::axes);
  return t;
}

Table<AnisotropicConstants> anisotropic_table() {
  Table<AnisotropicConstants> t(
      "Any linear elasticity, by the 21 numbers of C; `law` is linear or stvk.");
  t.key({.name = "stiffness",
         .unit = "Pa",
         .required = true,
         .description = "Upper triangle of the 6 x 6 matrix C by rows, 21 numbers, in the order "
                        "11 22 33 23 13 12 with engineering shears."},
        &AnisotropicConstants::stiffness);
  t.check([](const Value& v, AnisotropicConstants& a, Reader& r) {
    if (a.stiffness.size() == 21) return;
    const Reader::Step step(r, "stiffness");
    r.fail(source_of(v, "stiffness"), "wrong number of constants",
           std::to_string(a.stiffness.size()), "21 numbers");
  });
  return t;
}

Table<MooneyRivlinConstants> mooney_rivlin_table() {
  Table<MooneyRivlinConstants> t(
      "Rubber, by Mooney and Rivlin's constants; it has a law of its own and needs no `law`.");
  t.key({.name = "mu01",
         .unit = "Pa",
         .least = 0,
         .required = true,
         .description = "Factor of the second invariant."},
        &MooneyRivlinConstants::mu01);
  t.key({.name = "mu10",
         .unit = "Pa",
         .least = 0,
         .required = true,
         .description = "Factor of the first invariant; the shear modulus is 2 (mu01 + mu10)."},
        &MooneyRivlinConstants::mu10);
  t.key({.name = "v1",
         .unit = "Pa",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Penalty of a change of volume; the bulk modulus is 2 v1."},
        &MooneyRivlinConstants::v1);
  return t;
}

}  // namespace

const Table<MaterialSpec>& material_table() {
  static const Table<MaterialSpec> table = [] {
    Table<MaterialSpec> t("What bodies are made of, by names that bodies and regions refer to.");
    t.key({.name = "density",
           .unit = "kg/m^3",
           .least = 0,
           .above = true,
           .required = true,
           .description = "Mass of a volume."},
          &MaterialSpec::density);
    t.option({.name = "law",
              .description = "How stress follows from strain; stvk is what the polynomials of the "
                             "reduced engine are exact for."},
             law_words(), &MaterialSpec::law);
    t.alternative("isotropic", &MaterialSpec::constants, isotropic_table());
    t.alternative("lame", &MaterialSpec::constants, lame_table());
    t.alternative("orthotropic", &MaterialSpec::constants, orthotropic_table());
    t.alternative("anisotropic", &MaterialSpec::constants, anisotropic_table());
    t.alternative("mooney_rivlin", &MaterialSpec::constants, mooney_rivlin_table());
    t.check([](const Value& v, MaterialSpec& material, Reader& r) {
      if (!std::holds_alternative<MooneyRivlinConstants>(material.constants)) return;
      if (std::get<Object>(v.data).contains("law") && material.law != fem::Law::mooney_rivlin) {
        const Reader::Step step(r, "law");
        r.fail(source_of(v, "law"), "these constants have a law of their own",
               fem::name_of(material.law), "no 'law', or mooney_rivlin");
      }
      material.law = fem::Law::mooney_rivlin;
    });
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
