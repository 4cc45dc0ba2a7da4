#[test]
fn tmp() {
    let service = capstan_core::ServiceName::parse("stripe").unwrap();
    for (name, file) in [("stripe", "stripe.com.json"), ("gitlab", "gitlab.com.json")] {
        let service = capstan_core::ServiceName::parse(name).unwrap();
        let text = std::fs::read_to_string(format!("/tmp/imp/package/api/{file}")).unwrap();
        let start = std::time::Instant::now();
        let import =
            capstan_generator::import_openapi(&text, &service, &Default::default()).unwrap();
        println!(
            "{name} {:?} {} left {} in {:?}",
            import.title,
            import.outlines.len(),
            import.left_out.len(),
            start.elapsed()
        );
        for (op, why) in &import.left_out {
            println!("  LEFT {op}: {why}");
        }
        println!("{:?}", import.domains());
        println!("{}", import.suggestion.to_toml(&service, None));
        std::fs::create_dir_all(format!("/tmp/imp/out/{name}")).unwrap();
        for (f, t) in import.files() {
            std::fs::write(format!("/tmp/imp/out/{name}/{f}"), t).unwrap();
        }
    }
    let _ = service;
    let service = capstan_core::ServiceName::parse("shop").unwrap();
    let text = std::fs::read_to_string("/tmp/imp/package/storefront.schema.json").unwrap();
    let import =
        capstan_generator::import_graphql(&text, "storefront", &service, &Default::default())
            .unwrap();
    println!("shop {} left {:?}", import.outlines.len(), import.left_out);
    std::fs::create_dir_all("/tmp/imp/out/shop").unwrap();
    for (f, t) in import.files() {
        std::fs::write(format!("/tmp/imp/out/shop/{f}"), t).unwrap();
    }
}
